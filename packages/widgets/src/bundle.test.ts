/** What a page loads that uses the kit, and a page that uses one piece of it [ux.md 10.1]. */
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'
import { catalogues } from './i18n/vite-catalogues.ts'

const KB = 1_024
const door = fileURLToPath(new URL('./index.ts', import.meta.url))

/** JavaScript that is there from the start, React left out; what is fetched on demand does not count. */
async function startOf(program: string) {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    plugins: [
      catalogues(),
      {
        name: 'program',
        resolveId: (id) => (id === 'virtual:program' ? id : undefined),
        load: (id) => (id === 'virtual:program' ? program.replaceAll('@parley/widgets', door) : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: {
        input: 'virtual:program',
        external: [/^react($|\/)/, /^react-dom($|\/)/],
        output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
        preserveEntrySignatures: 'strict',
      },
    },
  })) as Rolldown.RolldownOutput
  const chunks = output.filter((chunk) => chunk.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const start = new Set(chunks.filter((chunk) => chunk.isEntry))
  for (const chunk of start) for (const name of chunk.imports) if (byName.has(name)) start.add(byName.get(name)!)
  return {
    modules: [...start].flatMap(({ moduleIds }) => moduleIds),
    bytes: [...start].reduce((sum, { code }) => sum + gzipSync(code).length, 0),
  }
}

it('the chat page needs at most 85 kB of kit and client before its first messages', { timeout: 120_000 }, async () => {
  const { bytes, modules } = await startOf(`
    import { ChatClient } from '@parley/client'
    import { ChannelList, ChannelPane, Chat } from '@parley/widgets'
    console.log(ChatClient, ChannelList, ChannelPane, Chat)`)
  console.info(`kit and client for a chat page: ${(bytes / KB).toFixed(1)} kB gzipped, without React`)
  expect(bytes).toBeGreaterThan(30 * KB)
  expect(bytes).toBeLessThanOrEqual(85 * KB)
  // Menus, dialogs and pickers come when somebody asks for them, and what reads Markdown when a text has marks.
  expect(modules.filter((id) => /react-aria|PollComposer|PollView|Lightbox|EmojiPicker|micromark/.test(id))).toEqual([])
})

it.each([
  ['MessageList', 35],
  ['Composer', 20],
  ['ChannelList', 15],
  ['Avatar', 2],
  ['TypingIndicator', 2],
  ['useUnread', 2],
])('%s alone brings none of the others along', { timeout: 120_000 }, async (name, kB) => {
  const { bytes } = await startOf(`import { ${name} } from '@parley/widgets'\nconsole.log(${name})`)
  console.info(`${name} alone: ${(bytes / KB).toFixed(1)} kB gzipped`)
  expect(bytes).toBeLessThanOrEqual(kB * KB)
})
