import { catalogues, compiled } from '@parley/widgets/vite-catalogues'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'
import { serverSentences } from './app/i18n/server-sentences.ts'

const isOfServer = (key: string) => (serverSentences as readonly string[]).includes(key)

export default defineConfig({
  plugins: [
    { ...catalogues(), applyToEnvironment: ({ name }) => name !== 'client' },
    {
      ...catalogues((text, key) => (isOfServer(key) ? undefined : compiled(text))),
      applyToEnvironment: ({ name }) => name === 'client',
    },
    reactRouter(),
  ],
  // Our own packages are TypeScript sources, so they are built along; everything from npm stays outside.
  ssr: { noExternal: [/^@parley\//] },
  // Found at start and not page by page, so that a page is not loaded again while one uses it.
  optimizeDeps: { entries: ['app/**/*.{ts,tsx}'] },
  build: {
    // Older targets would make light-dark() follow the page alone, and not the element it colours.
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: pieces() } } } } } },
})

/**
 * What pages are made of, each with all it needs that no piece before it has: what every page starts with, what
 * stands around the pages of a signed-in person, and chat. Many small files take longer to come and compress badly.
 */
function pieces() {
  return [
    { name: 'start', test: /\/app\/(entry\.client|root|ui\/Icon)\.tsx/ },
    // Also what other pages, and the client that is connected on each of them, use of it: in a later piece it would
    // bring chat along to them.
    {
      name: 'shell',
      test: /\/app\/(shell\/(shell|page)\.tsx|session\/use-session\.ts|chat\/Connecting\.tsx)|\/(client\/src\/composer\/command-text|widgets\/src\/i18n\/locale-with)\.ts/,
    },
    { name: 'chat', test: /\/app\/chat\/(chat-page|ChatParts)\.tsx/ },
  ].map((group, place, all) => ({ ...group, priority: all.length - place }))
}
