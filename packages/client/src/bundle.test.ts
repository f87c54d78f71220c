import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { describe, it } from 'vitest'

/**
 * The bytes a page loads before it can connect and list its channels; the sending code loads while it connects. The
 * goal is 15 KiB; the rest makes ids on pages without a secure context.
 */
const START_LIMIT_BYTES = 15.1 * 1_024
/** All chunks together. */
const EVERYTHING_LIMIT_BYTES = 45 * 1_024

const index = fileURLToPath(new URL('./index.ts', import.meta.url))

const program = `
import { ChatClient } from '${index}'

const client = new ChatClient('key', { baseURL: 'https://chat.example.com' })
await client.connectUser({ id: 'ada' }, 'token')
const [channel] = await client.queryChannels({ members: { $in: ['ada'] } })
await channel?.send({ text: 'Hello' })
`

/** Bundles a program as for a page: one chunk for the start, and the lazy chunks. */
async function bundled(text: string) {
  const isProgram = (id: string) => id === 'virtual:program'
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    // Without the page's own preloading code, which is not part of the client.
    ssr: { noExternal: true },
    build: {
      write: false,
      ssr: true,
      target: 'es2022',
      minify: true,
      rolldownOptions: {
        input: 'virtual:program',
        external: [/^node:/],
        output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
      },
    },
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (isProgram(id) ? id : undefined),
        load: (id) => (isProgram(id) ? text : undefined),
      },
    ],
  })) as Rolldown.RolldownOutput
  const chunks = output.filter((chunk) => chunk.type === 'chunk')
  const start = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/chat-client.ts')))
  assert.ok(start)
  return {
    chunks,
    start,
    startBytes: sizeBytes(start),
    allBytes: chunks.reduce((sum, chunk) => sum + sizeBytes(chunk), 0),
  }
}

const sizeBytes = ({ code }: { code: string }) => gzipSync(code, { level: 9 }).length
const kB = (bytes: number) => `${(bytes / 1_024).toFixed(1)} kB`

/** Separate entry points, which the client itself does not import. */
const entryPoints = {
  // With the marks of messages: an address in code has no preview. The kit loads them anyway.
  './composer/link-previews.ts': 3.6 * 1_024,
  './drafts/draft-sync.ts': 1.6 * 1_024,
  './search/search.ts': 1 * 1_024,
  './storage/indexed-db.ts': 0.8 * 1_024,
}

describe('what a browser loads', () => {
  it('to connect and list is small, and leaves out code that is needed later or never', async () => {
    const { chunks, start, startBytes } = await bundled(program)
    const soon = chunks.find(({ name }) => name === 'lazy-chunk-soon')
    assert.ok(soon)
    const soonBytes = sizeBytes(soon)
    console.info(`@parley/client: ${kB(startBytes)} gzipped to connect and list, and ${kB(soonBytes)} soon after`)
    assert.ok(startBytes > 1_000 && startBytes <= START_LIMIT_BYTES, `${startBytes} bytes`)
    const later = [
      'long-poll',
      'insights',
      'client-events',
      'recovery',
      'deliveries',
      'paging',
      'changes',
      'channel-events',
      'channel-calls',
      'thread-list',
      'uploads',
      'indexed-db',
    ]
    for (const name of later) assert.ok(!start.moduleIds.some((id) => id.includes(`/${name}`)), name)
  })

  it.each(Object.entries(entryPoints))('of a separate entry point is small: %s', async (module, limitBytes) => {
    const path = fileURLToPath(new URL(module, import.meta.url))
    const { chunks } = await bundled(`${program}\nglobalThis.asked = await import('${path}')`)
    const piece = chunks.find(({ moduleIds }) => moduleIds.includes(path))
    assert.ok(piece)
    console.info(`@parley/client, ${module}: ${kB(sizeBytes(piece))} gzipped`)
    assert.ok(sizeBytes(piece) <= limitBytes, `${sizeBytes(piece)} bytes`)
  })

  it('in all is small, and needs nothing of Node and no schema library', async () => {
    const { chunks, allBytes } = await bundled(`import * as all from '${index}'\nconsole.log(all)`)
    console.info(`@parley/client: ${kB(allBytes)} gzipped in all, in ${chunks.length} pieces`)
    assert.ok(allBytes <= EVERYTHING_LIMIT_BYTES, `${allBytes} bytes`)
    for (const { code, fileName } of chunks) assert.ok(!/node:|typebox/.test(code), fileName)
  })
})
