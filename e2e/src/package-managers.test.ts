/** The published packages, installed by every package manager: from a registry, and as files. */
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { packClient } from '@parley/client/pack'
import { packWidgets } from '@parley/widgets/pack'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeOf, nodePackages } from './kit/node-versions.ts'

const manifest = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../../', path), 'utf8'))
const { react, 'react-dom': reactDom } = manifest('packages/widgets/package.json').devDependencies
const { '@types/react': typesReact, '@types/react-dom': typesReactDom } = manifest('package.json').devDependencies

/** Installed by this test alone: 170 MB that nobody else needs. */
const tools = ['pnpm@12.21.0', 'yarn@1.22.22', '@yarnpkg/cli-dist@4.18.1', 'bun@1.4.5', ...nodePackages.slice(0, 1)]

const program = `
import { ChatClient } from '@parley/client'
import { ChannelList, Chat } from '@parley/widgets'
import { Carousel } from '@parley/widgets/carousel'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'

const client = new ChatClient('key', { baseURL: 'https://chat.example.com' })
const list = createElement(ChannelList, { onSelect() {} })
console.log(typeof Carousel, renderToString(createElement(Chat, { client, children: list })).includes('Loading conversations'))
`

describe('the published packages', () => {
  let folder: string
  let tarballs: string[]
  let registry: Registry
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-installed-'))
    tarballs = [await packClient(folder), await packWidgets(folder)]
    registry = await startRegistry(tarballs)
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--silent', '--prefix', folder]
    execFileSync('npm', ['install', ...quietly, ...tools])
  }, 300_000)
  afterAll(() => {
    registry?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const tool = (path: string) => join(folder, 'node_modules', path)
  const node = () => nodeOf(folder, 20)
  /** How each one installs, runs a program, and whether there is a `node_modules` for the compiler. */
  const managers = {
    npm: { install: () => ['npm', 'install', '--no-audit', '--no-fund'], run: () => [node()], check: true },
    pnpm: {
      install: () => [tool('.bin/pnpm'), 'install', '--no-frozen-lockfile', '--store-dir', join(folder, 'store')],
      run: () => [node()],
      check: true,
    },
    'yarn 1': {
      install: () => [node(), tool('yarn/bin/yarn.js'), 'install', '--non-interactive'],
      run: () => [node()],
      check: true,
    },
    'yarn 4': {
      install: () => [node(), tool('@yarnpkg/cli-dist/bin/yarn.js'), 'install'],
      run: () => [node(), tool('@yarnpkg/cli-dist/bin/yarn.js'), 'node'],
      check: false,
    },
    bun: { install: () => [tool('.bin/bun'), 'install'], run: () => [tool('.bin/bun')], check: true },
  }

  describe.each(['a registry', 'files'] as const)('from %s', (from) => {
    it.for(Object.entries(managers))(
      'install with %s, run and have their types',
      { timeout: 180_000 },
      async ([name, manager]) => {
        const cwd = mkdtempSync(join(folder, `${name.replace(' ', '-')}-`))
        const [client, widgets] = from === 'files' ? tarballs.map((path) => `file:${path}`) : ['^0.1.0', '^0.1.0']
        const dependencies = { '@parley/client': client, '@parley/widgets': widgets, react, 'react-dom': reactDom }
        const devDependencies = { '@types/react': typesReact, '@types/react-dom': typesReactDom }
        const described = { name: 'project', private: true, type: 'module', dependencies, devDependencies }
        const url = registry.url
        const files = {
          'package.json': JSON.stringify(described),
          '.npmrc': `@parley:registry=${url}/\n`,
          '.yarnrc.yml': `npmScopes:\n  parley:\n    npmRegistryServer: "${url}"\nunsafeHttpWhitelist: ["127.0.0.1"]\n`,
          'yarn.lock': '',
          'program.js': program,
          'program.ts': program,
        }
        for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text)
        // Caches of their own: another build of the same version must not be taken from them, nor be left in them.
        const cache = join(folder, `cache-${name.replace(' ', '-')}`)
        const env = {
          ...process.env,
          BUN_INSTALL_CACHE_DIR: cache,
          YARN_CACHE_FOLDER: cache,
          YARN_ENABLE_GLOBAL_CACHE: 'false',
          YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
          YARN_ENABLE_TELEMETRY: 'false',
        }
        const execute = async ([file = '', ...args]: string[]) => {
          const { stdout } = await promisify(execFile)(file, args, { cwd, env }).catch((error) => {
            throw new Error(`${file} ${args.join(' ')}\n${error.stdout}\n${error.stderr}`)
          })
          return stdout.trim()
        }

        await execute(manager.install())
        expect(await execute([...manager.run(), 'program.js'])).toBe('function true')
        if (manager.check) {
          const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
          await execute([
            tsc,
            ...'--noEmit --strict --target es2022 --module nodenext --lib es2024,dom --types'.split(' '),
            '',
            'program.ts',
          ])
        }
      },
    )
  })
})

interface Registry {
  url: string
  close: () => void
}

/** A registry on this machine with these packages alone. */
async function startRegistry(tarballs: readonly string[]): Promise<Registry> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '')
    const tarball = tarballs.find((file) => path === `/${basename(file)}`)
    const named = tarballs.map((file) => described(file, `http://${request.headers.host}`))
    const answer = tarball ? readFileSync(tarball) : named.find(({ name }) => path === `/${name}`)
    if (!answer) return response.writeHead(404).end()
    response.end(Buffer.isBuffer(answer) ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** A package as a registry describes it, with one version. */
function described(tarball: string, registry: string) {
  const manifest = JSON.parse(execFileSync('tar', ['xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }))
  const { name, version } = manifest
  const hash = (kind: string) => createHash(kind).update(readFileSync(tarball))
  const dist = {
    tarball: `${registry}/${basename(tarball)}`,
    shasum: hash('sha1').digest('hex'),
    integrity: `sha512-${hash('sha512').digest('base64')}`,
  }
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
    // Yarn does not install what was published in the last days.
    time: { [version]: '2020-01-01T00:00:00.000Z' },
  }
}
