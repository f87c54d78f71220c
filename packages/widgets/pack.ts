/**
 * Builds the npm package of the kit: modules with compiled texts, one style sheet, and types.
 * `node packages/widgets/pack.ts <folder>` writes the tarball there.
 */
import { appendFileSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packInto, sourcemapPathTransform, writeTypes } from '@parley/client/pack'
import { build, type Plugin } from 'vite'
import { catalogues } from './src/i18n/vite-catalogues.ts'

const HERE = import.meta.dirname
const PACKAGES = dirname(HERE)
const MODULES = join(PACKAGES, '../node_modules')
const entries = {
  index: 'src/index.ts',
  carousel: 'src/carousel/Carousel.tsx',
  texts: 'src/i18n/add-texts.ts',
  brand: 'src/theme/brand.ts',
}
const sheets = { styles: 'src/styles.css', carousel: 'src/carousel/carousel.css' }

/**
 * Part of the package instead of its dependencies. The protocol is not published by itself; Lingui asks for a newer Node
 * than the kit, and its packages for the browser bring those of its command line: Jest, Babel, jiti.
 */
const bundled = ['@parley/protocol', '@lingui/core', '@lingui/message-utils']
const isBundled = (id: string) => [...bundled, '@messageformat/', 'moo'].some((name) => id.startsWith(name))
const isOutside = (id: string) => !/^[./\0]/.test(id) && !isBundled(id)

/** @returns the path of the tarball */
export function packWidgets(folder: string): Promise<string> {
  return packInto(folder, async (made) => {
    await makeModules(made)
    copyLicences(made)
    await makeSheets(made)
    makeTypes(made)
    writeFileSync(join(made, 'package.json'), JSON.stringify(manifest(), null, 2))
    for (const page of ['README.md', 'components.md', 'theming.md', 'languages.md', 'api.txt'])
      cpSync(join(HERE, page), join(made, page))
  })
}

function makeModules(made: string) {
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(HERE, path)]))
  return build({
    configFile: false,
    logLevel: 'error',
    plugins: [catalogues(), clientModules()],
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      outDir: made,
      target: 'es2022',
      minify: false,
      sourcemap: true,
      lib: { entry: input, formats: ['es'], cssFileName: 'later' },
      rolldownOptions: {
        external: isOutside,
        // One module per file, so that a bundler includes only the used ones, and can load others lazily.
        output: {
          preserveModules: true,
          preserveModulesRoot: PACKAGES,
          sourcemapPathTransform,
          // A plugin's output is named after the absolute path on this machine; npm packs no folder `node_modules`.
          entryFileNames: ({ name }) =>
            `${name.replace(/^.*_catalogue_.*\/packages\//, '').replace(/^node_modules\//, 'bundled/')}.js`,
        },
      },
    },
  })
}

/**
 * Marks the modules that need a browser, so that server components can import them: all that use React, and the texts,
 * which a server component would add where no page reads them. Servers can call the others, such as `chooseLanguage`.
 */
function clientModules(): Plugin {
  return {
    name: 'client-modules',
    renderChunk(code, { fileName }) {
      const usesReact = /\bfrom ["'](react|react-dom|react-aria|react-aria-components|embla-carousel-react)["'/]/.test(
        code,
      )
      return usesReact || fileName === 'texts.js' ? { code: `'use client';${code}`, map: null } : undefined
    },
  }
}

/** Other people's code comes with their licence. */
function copyLicences(made: string) {
  for (const folder of globSync(['@*/*', '[^@]*'], { cwd: join(made, 'bundled') }))
    cpSync(join(MODULES, folder, 'LICENSE'), join(made, 'bundled', folder, 'LICENSE'))
}

/** The single style sheet also contains the styles of lazy chunks, whose modules no longer import them. */
async function makeSheets(made: string) {
  const input = Object.fromEntries(Object.entries(sheets).map(([name, path]) => [name, join(HERE, path)]))
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: made,
      emptyOutDir: false,
      rolldownOptions: { input, output: { assetFileNames: '[name].css' } },
    },
  })
  const later = join(made, 'later.css')
  appendFileSync(join(made, 'styles.css'), readFileSync(later))
  rmSync(later)
}

function makeTypes(made: string) {
  const files = Object.values(entries).map((path) => join(HERE, path))
  writeTypes(made, files, { jsx: 'react-jsx' })
  const types = join(made, 'types/widgets/src')
  // The type of the text keys is derived from the English catalogue; not every TypeScript project imports JSON.
  const english = JSON.parse(readFileSync(join(HERE, 'src/i18n/catalogues/en.json'), 'utf8'))
  const names = Object.keys(english).map((key) => `  ${JSON.stringify(key)}: string`)
  writeFileSync(
    join(types, 'i18n/english.d.ts'),
    `declare const english: {\n${names.join('\n')}\n}\nexport default english\n`,
  )
  const reads = globSync('**/*.d.ts', { cwd: types }).map((name) => join(types, name))
  for (const file of reads) {
    const text = readFileSync(file, 'utf8')
    const messages = `'${relative(dirname(file), join(made, 'types/lingui/core/index.mjs'))}'`
    const own = text.replace("'./catalogues/en.json'", "'./english.js'").replace("'@lingui/core'", messages)
    writeFileSync(file, own)
  }
  copyTypesOfLingui(join(made, 'types/lingui'))
}

/** The declarations of the bundled Lingui, which those of the kit's catalogues and texts refer to. */
function copyTypesOfLingui(to: string) {
  for (const part of ['core', 'message-utils']) {
    const from = join(MODULES, '@lingui', part, 'dist')
    for (const name of globSync('**/*.d.mts', { cwd: from, exclude: ['**/*.node.d.mts', 'runtime-macro.d.mts'] })) {
      const up = name.includes('/') ? '../..' : '..'
      const text = readFileSync(join(from, name), 'utf8')
      mkdirSync(dirname(join(to, part, name)), { recursive: true })
      writeFileSync(
        join(to, part, name),
        text.replace(/'@lingui\/message-utils\/(\w+)'/g, `'${up}/message-utils/$1.mjs'`),
      )
    }
  }
}

function manifest() {
  const described = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))
  const { name, version, description, keywords, license, type, sideEffects, engines } = described
  const { dependencies, peerDependencies } = described
  const needed = Object.fromEntries(Object.entries(dependencies).filter(([name]) => !bundled.includes(name)))
  const modules = Object.entries(entries).map(([key, path]) => {
    const types = `./types/widgets/${path.replace(/\.tsx?$/, '')}.d.ts`
    return [key === 'index' ? '.' : `./${key}`, { types, default: `./${key}.js` }]
  })
  const styles = Object.keys(sheets).map((key) => [`./${key}.css`, `./${key}.css`])
  const exports = Object.fromEntries([...modules, ...styles])
  const about = { name, version, description, keywords, license, type, sideEffects, engines }
  return { ...about, exports, dependencies: needed, peerDependencies }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.info(await packWidgets(resolve(process.argv[2] ?? '.')))
