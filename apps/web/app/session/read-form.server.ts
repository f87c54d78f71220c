/** More than any text form needs. */
const FORM_BYTES = 256 * 1_024

/**
 * Reads the form of a request. A body that is not a form, or contains NUL, is the caller's mistake and gets a 400; an
 * oversized one gets a 413, and the rest of it is not read.
 */
export async function readForm(request: Request, mostBytes = FORM_BYTES): Promise<FormData> {
  const body = await readBody(request, mostBytes)
  try {
    const type = request.headers.get('content-type') ?? ''
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    if ([...form.values()].some((value) => typeof value === 'string' && value.includes('\0'))) throw new Error('NUL')
    return form
  } catch {
    throw Response.json({ type: 'error', error: 'The body of the request is not a form.' }, { status: 400 })
  }
}

/** Reads the raw body of a request; an oversized one gets a 413. */
export async function readBytes(request: Request, mostBytes: number): Promise<Buffer> {
  return Buffer.from(await (await readBody(request, mostBytes)).arrayBuffer())
}

async function readBody(request: Request, mostBytes: number): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  // A body that is announced as too large is not read at all.
  if (Number(request.headers.get('content-length')) > mostBytes) throw tooLarge()
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw tooLarge()
    chunks.push(chunk as Uint8Array<ArrayBuffer>)
  }
  return new Blob(chunks)
}

function tooLarge(): Response {
  return Response.json({ type: 'error', error: 'The body of the request is too large.' }, { status: 413 })
}
