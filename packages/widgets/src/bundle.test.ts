/** The bundle of a page with the kit, and of a page with one part of it [interface.md 10.1]. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { expect, it } from 'vitest'
import { catalogues } from './i18n/vite-catalogues.ts'

const KB = 1_024
const door = fileURLToPath(new URL('./index.ts', import.meta.url))
/** The files of the components that a page may use. */
const components = [...readFileSync(door, 'utf8').matchAll(/'\.\/(.+\.tsx)'/g)].map(([, file]) => file!)

/** JavaScript of the initial page, without React; lazy chunks do not count. */
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
  // Menus, dialogs and pickers are loaded when they are opened, and the parser of marks when a text has any.
  expect(
    modules.filter((id) => /react-aria|PollComposer|PollView|Lightbox|EmojiPicker|MarkedText|text\/marks/.test(id)),
  ).toEqual([])
})

it.each([
  ['MessageList', 35, ['AttachmentList', 'Avatar', 'Message', 'MessageList', 'MessageText']],
  ['Composer', 20, ['Composer']],
  ['ChannelList', 15, ['Avatar', 'ChannelList']],
  ['Avatar', 2, ['Avatar']],
  ['TypingIndicator', 2, ['TypingIndicator']],
  ['useUnread', 2, []],
])('%s alone loads no component that it does not show', { timeout: 120_000 }, async (name, kB, shown) => {
  const { bytes, modules } = await startOf(`import { ${name} } from '@parley/widgets'\nconsole.log(${name})`)
  console.info(`${name} alone: ${(bytes / KB).toFixed(1)} kB gzipped`)
  expect(bytes).toBeLessThanOrEqual(kB * KB)
  const brought = components.filter((file) => modules.some((id) => id.endsWith(`/src/${file}`)))
  expect(brought.map((file) => basename(file, '.tsx')).sort()).toEqual(shown)
})
