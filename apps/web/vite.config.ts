import { createRequire } from 'node:module'
import { catalogues, compiled } from '@parley/widgets/vite-catalogues'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'
import { serverSentences } from './app/i18n/server-sentences.ts'

const isOfServer = (key: string) => (serverSentences as readonly string[]).includes(key)

export default defineConfig({
  plugins: [
    { ...catalogues(), applyToEnvironment: ({ name }) => name !== 'client' },
    {
      ...catalogues((text, key) => (isOfServer(key) ? undefined : compiled(text)), { split: true }),
      applyToEnvironment: ({ name }) => name === 'client',
    },
    reactRouter(),
    reactByName(),
  ],
  // Our own packages are TypeScript sources, so they are built along; everything from npm stays outside.
  ssr: { noExternal: [/^@parley\//] },
  // Found at start and not page by page, so that a page is not loaded again while one uses it.
  optimizeDeps: { entries: ['app/**/*.{ts,tsx}'] },
  build: {
    // Older targets would make light-dark() follow the page alone, and not the element it colours.
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // What a part that comes later needs is fetched along with it, except for what every page has had.
    modulePreload: {
      resolveDependencies: (_, parts) => parts.filter((part) => !/\/(rolldown-runtime|start)-[^/]{8}\.js$/.test(part)),
    },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: { codeSplitting: { groups: pieces() } },
          // A number with a name is shorter than the name that leads from one piece to another.
          optimization: { inlineConst: { mode: 'all' } },
        },
      },
    },
  },
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
      test: /\/app\/(shell\/(shell|page)\.tsx|session\/use-session\.ts|chat\/(Connecting\.tsx|message-path\.ts))|\/(client\/src\/(composer\/command-text|polls\/poll-state)|widgets\/src\/i18n\/(locale-with|row-time))\.ts/,
    },
    { name: 'chat', test: /\/app\/chat\/(chat-page|ChatParts)\.tsx/ },
  ].map((group, place, all) => ({ ...group, priority: all.length - place }))
}

/**
 * Lets pages import React's functions one by one. React is CommonJS, of which a bundler makes `(0, react.useState)` at
 * each of a thousand places; of an import it makes one letter, all in all 0.9 kB less of the chat page.
 */
function reactByName(): Plugin {
  const require = createRequire(import.meta.url)
  const byName = '\0by-name:'
  return {
    name: 'parley-react-by-name',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      filter: { id: /^react(-dom|\/jsx-runtime)?$/ },
      handler: (source, importer, { kind }) =>
        kind === 'import-statement' && !importer?.startsWith(byName) ? byName + source : undefined,
    },
    load: {
      filter: { id: /^\0by-name:/ },
      handler(id) {
        const source = id.slice(byName.length)
        const names = Object.keys(require(source))
        return [
          `import all from '${source}'`,
          'export default all',
          ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})()`),
        ].join('\n')
      },
    },
  }
}
