/** The published kit in an empty Vite project of a third party. */
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { SourceMap, type SourceMapping } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { packClient } from '@parley/client/pack'
import { packWidgets } from '@parley/widgets/pack'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Room } from './kit/browser.ts'
import { nodeMajors, nodeOf, nodePackages } from './kit/node-versions.ts'
import { type Stack, startStack } from './kit/stack.ts'

const manifest = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../../', path), 'utf8'))
const { react, 'react-dom': reactDom } = manifest('packages/widgets/package.json').devDependencies
const { vite, '@types/react': typesReact, '@types/react-dom': typesReactDom } = manifest('package.json').devDependencies

const page =
  '<!doctype html><html lang="en"><title>Tea</title><div id="root"></div><script type="module" src="/main.tsx"></script>'

const program = `
import { ChatClient } from '@parley/client'
import { ChannelList, ChannelPane, Chat, type Theme, useUnread } from '@parley/widgets'
import '@parley/widgets/styles.css'
import { useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import './brand.css'

const { url, key, token } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
const client = new ChatClient(key!, { baseURL: url! })
await client.connectUser({ id: 'ada' }, token!)

function Unread() {
  return <output>{useUnread().total} unread</output>
}

function Messenger() {
  const [cid, setCid] = useState<string>()
  const [theme, setTheme] = useState<Theme>('light')
  const list = useRef<HTMLElement>(null)
  return (
    <Chat client={client} theme={theme} language="de" className="our-chat">
      <button type="button" onClick={() => setTheme('dark')}>Dark</button>
      <Unread />
      <ChannelList ref={list} data-tour="channels" activeCid={cid} onSelect={(channel) => setCid(channel.cid)} />
      {cid && <ChannelPane cid={cid} style={{ blockSize: 400 }} />}
    </Chat>
  )
}

createRoot(document.getElementById('root')!).render(<Messenger />)
`

const brand = '.our-chat { --chat-own-bubble: rgb(1, 2, 3); }'

const wrong = `
import { Avatar } from '@parley/widgets'
// @ts-expect-error a face is somebody's
export const nobody = <Avatar name="Ada" />
// @ts-expect-error there are four sizes
export const huge = <Avatar id="ada" name="Ada" size="huge" />
`

/** Prints the HTML of every component as a server renders it: at once, and when everything lazy is loaded. */
const onServer = `
import { ChatClient } from '@parley/client'
import { ChatClient as Company } from '@parley/client/server'
import * as kit from '@parley/widgets'
import * as carousel from '@parley/widgets/carousel'
import '@parley/widgets/brand'
import '@parley/widgets/texts'
import { createElement } from 'react'
import { renderToPipeableStream, renderToString } from 'react-dom/server'
import { text } from 'node:stream/consumers'
import { PassThrough } from 'node:stream'

// Nothing listens on port 9: the user remains signed in while the client tries to connect.
const server = { baseURL: 'http://127.0.0.1:9', enableWSFallback: true }
const ada = { id: 'ada', name: 'Ada' }
const client = new ChatClient('key', server)
client.connectUser(ada, new Company('key', 'sixteen-characters', server).createToken('ada')).catch(() => {})
const channel = client.channel('messaging', 'tea')

const file = 'https://files.example.com/tea'
const attachments = ['image', 'video', 'audio', 'voiceRecording', 'file', 'giphy', 'product'].map((type) => (
  { type, title: 'Tea', title_link: file, asset_url: file, image_url: file, thumb_url: file, waveform_data: [0.5], duration: 1 }
))
const at = new Date(0)
const message = {
  id: 'hello', cid: channel.cid, type: 'regular', status: 'received', text: 'Hello **there**', user: ada, attachments,
  created_at: at, updated_at: at, createdAtIso: at.toISOString(), mentioned_users: [], latest_reactions: [],
  own_reactions: [], reaction_groups: {}, reaction_counts: {}, reaction_scores: {}, reply_count: 0,
}
const ofMessage = { channel, message, group: { first: true, last: true }, rowId: 'row', own: false, entered: true }
const props = {
  AttachmentList: { channel, message, entered: true },
  Avatar: ada,
  ChannelHeader: { channel },
  ChannelList: { onSelect() {} },
  ChannelPane: { cid: channel.cid },
  Composer: { channel },
  ConnectionBanner: {},
  Message: ofMessage,
  MessageList: { channel },
  MessageText: { text: 'Hello **there**' },
  PollButton: { channel },
  PreferencesButton: {},
  ThreadInbox: { onOpen() {} },
  ThreadInboxButton: { onOpen() {} },
  TypingIndicator: { channel },
}
const within = (given, children) => createElement(kit.Chat, { client: given, theme: 'dark' }, children)
const { Carousel, CarouselSlides, CarouselPrevious, CarouselNext } = carousel
const words = { label: 'Tea', carousel: 'carousel', slide: 'slide', place: () => '1 of 2', previous: 'Back', next: 'On' }
const pages = {
  Chat: within(new ChatClient('key', server), [
    createElement(kit.ChannelList, { key: 'list', onSelect() {} }),
    createElement(kit.ChannelPane, { key: 'pane', cid: channel.cid }),
  ]),
  Carousel: createElement(Carousel, { words }, [
    createElement(CarouselSlides, { key: 'slides' }, ['A', 'B']),
    createElement(CarouselPrevious, { key: 'previous' }, '<'),
    createElement(CarouselNext, { key: 'next' }, '>'),
  ]),
}
for (const [name, given] of Object.entries(props)) pages[name] = within(client, createElement(kit[name], given))

const complete = (page) => new Promise((resolve, reject) => {
  const stream = renderToPipeableStream(page, {
    onAllReady: () => resolve(text(stream.pipe(new PassThrough()))),
    onError: reject,
  })
})
const made = { exports: [...Object.keys(kit), ...Object.keys(carousel)], html: {} }
for (const [name, page] of Object.entries(pages)) {
  try {
    made.html[name] = [renderToString(page), await complete(page)]
  } catch (error) {
    made.html[name] = [String(error.stack), '']
  }
}
console.log(JSON.stringify(made))
process.exit()
`

describe('the published kit', () => {
  let folder: string
  let stack: Stack
  let room: Room
  let served: Server
  const project = () => join(folder, 'project')

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-kit-'))
    mkdirSync(join(folder, 'widgets'))
    writeFileSync(join(folder, 'widgets/own.txt'), 'the owner’s')
    const tarballs = [await packClient(folder), await packWidgets(folder)]
    mkdirSync(project())
    const files = {
      'package.json': '{ "name": "project", "private": true, "type": "module" }',
      'index.html': page,
      'main.tsx': program,
      'brand.css': brand,
      'on-server.js': onServer,
      'wrong.tsx': wrong,
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project(), name), text)
    const needed = [
      `react@${react}`,
      `react-dom@${reactDom}`,
      `vite@${vite}`,
      `@types/react@${typesReact}`,
      `@types/react-dom@${typesReactDom}`,
      ...nodePackages,
    ]
    const quietly = ['--prefer-offline', '--no-audit', '--no-fund', '--silent']
    execFileSync('npm', ['install', ...quietly, ...tarballs, ...needed], { cwd: project() })
    // With all of Vite's defaults, also for styles.
    execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'], {
      cwd: project(),
    })
    served = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://project').pathname
      const file = join(project(), 'dist', path === '/' ? 'index.html' : path)
      try {
        const text = readFileSync(file)
        const type =
          { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }[extname(file)] ?? 'text/plain'
        response.setHeader('content-type', type)
        response.end(text)
      } catch {
        response.writeHead(404).end()
      }
    })
    await new Promise<void>((listening) => served.listen(0, '127.0.0.1', listening))
    stack = await startStack('sqlite', { web: false })
    room = await Room.open()
  }, 600_000)
  afterAll(async () => {
    await room?.close()
    await stack?.stop()
    served?.closeAllConnections()
    served?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('[APP-12] lists, opens, sends and receives in an empty Vite project, with its styles', {
    timeout: 120_000,
  }, async () => {
    const url = stack.chats[0]!.url
    const { company } = stack
    await company.upsertUsers([
      { id: 'ada', name: 'Ada' },
      { id: 'bo', name: 'Bo' },
    ])
    const tea = company.channel('messaging', 'tea', { name: 'Tea time', created_by_id: 'ada', members: ['ada', 'bo'] })
    await tea.create()

    const ada = await room.visitor(`http://127.0.0.1:${(served.address() as AddressInfo).port}`)
    await ada.page.goto(`/#${new URLSearchParams({ url, key: stack.key, token: company.createToken('ada') })}`)
    await ada.page.getByRole('button', { name: /Tea time/ }).click()
    expect(await ada.page.locator('nav[data-tour=channels]').count()).toBe(1)

    const composer = ada.page.getByRole('textbox')
    await composer.fill('Is there any left?')
    await composer.press('Enter')
    const bubble = ada.message('Is there any left?').locator('.chat-bubble')
    await bubble.waitFor()
    expect(await bubble.evaluate((it) => getComputedStyle(it).backgroundColor)).toBe('rgb(1, 2, 3)')
    await tea.sendMessage({ text: 'A whole pot', user_id: 'bo' })
    await ada.sees('A whole pot')

    // Its texts, its themes, and its lazy chunks.
    await composer.fill('Half a thought')
    await ada.page.getByRole('button', { name: 'Senden' }).waitFor()
    await ada.page.getByRole('button', { name: 'Dark' }).click()
    await ada.page.locator('.chat.chat-theme-dark.our-chat').waitFor()
    expect(await composer.inputValue()).toBe('Half a thought')
    await ada.message('A whole pot').hover()
    await ada.message('A whole pot').getByRole('button', { name: 'Weitere Aktionen' }).click()
    await ada.page.getByRole('menu').waitFor()
    await ada.page.keyboard.press('Escape')

    // Also the styles of lazy parts, and right to left.
    await ada.page.getByRole('button', { name: 'Emojis', exact: true }).click()
    const emoji = ada.page.getByRole('tablist')
    expect(await emoji.evaluate((it) => getComputedStyle(it).display)).toBe('flex')
    await ada.page.keyboard.press('Escape')
    await ada.page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    const send = ada.page.getByRole('button', { name: 'Senden' }).locator('svg')
    expect(await send.evaluate((it) => getComputedStyle(it).transform)).toBe('matrix(-1, 0, 0, 1, 0, 0)')
    ada.isWell()
  })

  it('comes into a folder without changing what is there', () => {
    expect(readFileSync(join(folder, 'widgets/own.txt'), 'utf8')).toBe('the owner’s')
    const all = ['parley-client-0.1.0.tgz', 'parley-widgets-0.1.0.tgz', 'project', 'widgets']
    expect(readdirSync(folder).sort()).toEqual(all)
  })

  it.for(nodeMajors)('renders every component on a server with Node %s', (major) => {
    const { exports, html } = JSON.parse(
      execFileSync(nodeOf(project(), major), ['on-server.js'], {
        cwd: project(),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
    const noPage = ['CatalogueLoader', 'CarouselNext', 'CarouselPrevious', 'CarouselSlides']
    const components = exports.filter((name: string) => /^[A-Z]/.test(name) && !noPage.includes(name))
    expect(Object.keys(html).sort()).toEqual(components.sort())
    for (const [name, made] of Object.entries<[string, string]>(html))
      for (const page of made)
        expect(page, name).toMatch(name === 'Carousel' ? /^<section/ : /^<div class="chat chat-theme-dark" lang="en">/)
    expect(html.Chat[0]).toMatch(/Loading conversations.*Loading messages/)
  })

  it('has types that check the props of a component', { timeout: 120_000 }, () => {
    const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
    const settings = [
      '--noEmit',
      '--skipLibCheck',
      '--strict',
      '--noUncheckedIndexedAccess',
      '--jsx',
      'react-jsx',
      '--target',
      'es2022',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--lib',
      'es2024,dom',
      '--types',
      'vite/client',
    ]
    execFileSync(tsc, [...settings, 'main.tsx', 'wrong.tsx'], { cwd: project(), stdio: 'pipe', encoding: 'utf8' })
  })

  it.each([
    ['client', 'client/src/chat-client', 'var ChatClient = class', 'export class ChatClient'],
    ['widgets', 'widgets/src/chat/Chat', 'function Chat(', 'export function Chat('],
  ])('comes with what a reader wants to know: @parley/%s', (name, module, code, source) => {
    const read = (path: string) => readFileSync(join(project(), 'node_modules/@parley', name, path), 'utf8')
    const { keywords, engines, license, description } = JSON.parse(read('package.json'))
    expect({ keywords, engines, license, description }).toEqual({
      keywords: expect.arrayContaining(['chat', 'parley']),
      engines: { node: '>=20' },
      license: 'MIT',
      description: expect.any(String),
    })
    expect(read('LICENSE')).toContain('MIT')
    expect(read('README.md')).toContain(`@parley/${name}`)
    expect(read(`types/${module}.d.ts`)).toMatch(/\* The root of every chat|\/\*\* The URL of the chat server/)

    // A debugger shows the source, also of a module that was marked for the browser after it was compiled.
    const lines = read(`${module}.js`).split('\n')
    const line = lines.findIndex((text) => text.startsWith(code))
    const map = JSON.parse(read(`${module}.js.map`))
    const { originalSource, originalLine } = new SourceMap(map).findEntry(line, code.length - 1) as SourceMapping
    expect(originalSource).toMatch(new RegExp(`^packages/${module}.tsx?$`))
    expect(map.sourcesContent[0].split('\n')[originalLine]).toContain(source)
  })

  it('lets server components import it: what needs a browser is marked as a client module', () => {
    const kit = join(project(), 'node_modules/@parley/widgets')
    const isMarked = (path: string) => readFileSync(join(kit, path), 'utf8').startsWith('"use client"')
    const modules = globSync('**/*.js', { cwd: kit })
    const ofReact = modules.filter((path) => /from "(react|embla)[-/"]/.test(readFileSync(join(kit, path), 'utf8')))
    expect(ofReact).toContain('widgets/src/chat/Chat.js')
    expect(ofReact.filter((path) => !isMarked(path))).toEqual([])
    expect(['texts.js', 'index.js', 'brand.js', 'widgets/src/i18n/languages.js'].map(isMarked)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })

  it('needs only what it declares and nothing of this repository', () => {
    const { dependencies, exports } = JSON.parse(
      readFileSync(join(project(), 'node_modules/@parley/widgets/package.json'), 'utf8'),
    )
    expect(Object.keys(dependencies)).not.toContain('@parley/protocol')
    expect(Object.keys(exports)).toEqual(['.', './carousel', './texts', './brand', './styles.css', './carousel.css'])
    const made = readFileSync(join(project(), 'node_modules/@parley/widgets/index.js'), 'utf8')
    expect(made).not.toContain(join(import.meta.dirname, '../..'))
  })
})
