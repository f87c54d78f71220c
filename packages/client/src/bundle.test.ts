import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { it } from 'vitest'

/** The client's share of what a chat page loads before its first messages. */
const LIMIT_BYTES = 25 * 1_024

it('what a browser loads to connect, list and send is 25 kB at most, and needs nothing of Node', async () => {
  const result = (await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('./chat-client.ts', import.meta.url)),
        preserveEntrySignatures: 'strict',
        external: [/^node:/],
      },
    },
  })) as Rolldown.RolldownOutput
  const [{ code }] = result.output
  const sizeBytes = gzipSync(code, { level: 9 }).length
  console.info(`@parley/client: ${(sizeBytes / 1_024).toFixed(1)} kB gzipped`)
  assert.ok(!/node:|typebox/.test(code))
  assert.ok(sizeBytes > 1_000 && sizeBytes <= LIMIT_BYTES, `${sizeBytes} bytes`)
})
