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
  // Our own packages are TypeScript sources, so they are bundled; npm packages stay external.
  ssr: { noExternal: [/^@parley\//] },
  // Scanned at start and not page by page, so that a page is not reloaded during use.
  optimizeDeps: { entries: ['app/**/*.{ts,tsx}'] },
  build: {
    // With older targets light-dark() would follow the page alone, and not the coloured element.
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The imports of a lazy chunk load along with it, except for those that every page has loaded.
    modulePreload: {
      resolveDependencies: (_, parts) => parts.filter((part) => !/\/(rolldown-runtime|start)-[^/]{8}\.js$/.test(part)),
    },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: { codeSplitting: { groups: pieces() } },
          // An inlined number is shorter than an import between chunks.
          optimization: { inlineConst: { mode: 'all' } },
        },
      },
    },
  },
})

/**
 * The chunks of pages, each with all its imports that no earlier chunk contains: what every page starts with, the shell
 * of a signed-in user, and chat. Many small files load more slowly and compress badly.
 */
function pieces() {
  return [
    { name: 'start', test: /\/app\/(entry\.client|root|ui\/Icon)\.tsx/ },
    // Also contains what other pages, and the client that connects on each of them, import of chat: a later chunk would
    // load all of chat for them.
    {
      name: 'shell',
      test: /\/app\/(shell\/(shell|page)\.tsx|session\/use-session\.ts|chat\/(Connecting\.tsx|message-path\.ts))|\/(client\/src\/(composer\/command-text|polls\/poll-state)|widgets\/src\/i18n\/(locale-with|row-time))\.ts/,
    },
    { name: 'chat', test: /\/app\/chat\/(chat-page|ChatParts)\.tsx/ },
  ].map((group, place, all) => ({ ...group, priority: all.length - place }))
}

/**
 * Lets pages import React by name. React is CommonJS, for which a bundler writes `(0, react.useState)` at each of a
 * thousand places; a named import becomes one letter, in total 0.9 kB less for the chat page.
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
