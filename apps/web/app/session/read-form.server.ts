/** The form of a request. A body that is no form is the caller's mistake and gets a 400. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData()
  } catch {
    throw Response.json({ type: 'error', error: 'The body of the request is not a form.' }, { status: 400 })
  }
}
