/** The package as it is published, installed in an empty project. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { packClient } from './pack.ts'
import { type RealServer, startRealServer } from './src/testing/real-server.ts'

const program = `
import { ChatClient } from '@parley/client'

const { CHAT_URL, CHAT_KEY, CHAT_TOKEN } = process.env
const client = new ChatClient(CHAT_KEY, { baseURL: CHAT_URL, enableWSFallback: true })
const me = await client.connectUser({ id: 'ada' }, CHAT_TOKEN)
const [channel] = await client.queryChannels({ members: { $in: ['ada'] } })
const heard = new Promise((resolve) => channel.on('message.new', ({ message }) => resolve(message.text)))
const sent = await channel.send({ text: 'Hello' })
await channel.react(sent.id, 'love')
console.log(JSON.stringify([me.id, channel.cid, sent.status, await heard, client.connection.snapshot().over ?? 'socket']))
await client.disconnectUser()
`

/** Removes what React Native and similar platforms lack. */
const bare = `
for (const name of ['window', 'document', 'navigator', 'addEventListener', 'indexedDB', 'localStorage', 'location'])
  Object.defineProperty(globalThis, name, { value: undefined })
`

/** Node 20 has none. */
const socketless = `
import { ChatClient } from '@parley/client'

delete globalThis.WebSocket
const { CHAT_URL, CHAT_KEY, CHAT_TOKEN } = process.env
const connecting = new ChatClient(CHAT_KEY, { baseURL: CHAT_URL }).connectUser({ id: 'ada' }, CHAT_TOKEN)
console.log(JSON.stringify(await connecting.catch(({ code, message }) => [code, message])))
`

const company = `
import { ChatClient } from '@parley/client/server'

const token = new ChatClient('key', 'secret', { baseURL: 'http://localhost' }).createToken('ada')
console.log(token.split('.').length)
`

const types = `
import { type Channel, ChatClient, type ChatEvent, type LocalMessage } from '@parley/client'
import { DraftSync } from '@parley/client/drafts'
import { LinkPreviews } from '@parley/client/links'
import { Search } from '@parley/client/search'
import { ChatClient as Company } from '@parley/client/server'
import { indexedDBStorage } from '@parley/client/storage'
import { FakeClock } from '@parley/client/testing'

declare module '@parley/client' {
  interface CustomUserData { department?: string }
  interface CustomMessageData { mood?: 'good' | 'bad' }
  interface CustomChannelData { topic?: string }
  interface CustomMemberData { nick?: string }
  interface CustomReactionData { weight?: number }
  interface CustomAttachmentData { sticker?: number }
  interface CustomEventData { origin?: string }
  interface CustomPollData { quiz?: boolean }
  interface CustomPollOptionData { right?: boolean }
  interface CustomThreadData { solved?: boolean }
  interface CustomEvents { 'tea.is.ready': { cups: number } }
}

const storage = await indexedDBStorage()
const client = new ChatClient('key', { baseURL: 'https://chat.example.com', clock: new FakeClock(), storage })
const me = await client.connectUser({ id: 'ada', department: 'tea' }, () => 'token')
const department: string | undefined = me.department
const unread: number | undefined = client.user?.total_unread_count
const channel: Channel = client.channel('messaging', 'tea', { topic: 'tea' })
const message: LocalMessage = await channel.send({ text: 'Hello', mood: 'good' })
const mood: 'good' | 'bad' | undefined = message.mood
client.on('message.new', (event: ChatEvent<'message.new'>) => event.message.text.toUpperCase())
channel.addMembers(['bo'], { text: 'Bo is here' }, { hide_history: true })
new DraftSync(channel.composer).exchange()
new LinkPreviews(channel.composer).dismiss()
await new Search(client).setText('tea')
client.on('message.new', ({ message, user }) => {
  const own: [typeof mood, typeof department] = [message.mood, user?.department]
  return own
})
client.on('member.updated', ({ member, channel: of }): (string | undefined)[] => [member.nick, member.user.department, of?.topic])
client.on('poll.updated', ({ poll }): (boolean | undefined)[] => [poll.quiz, poll.options[0]?.right])
client.on('thread.updated', ({ thread }): (boolean | undefined)[] => [thread.solved])
const { members, messages } = await channel.watch()
const nick: string | undefined = members[0]?.nick
const said: 'good' | 'bad' | undefined = messages[0]?.quoted_message?.mood
const { message: plain } = await channel.sendMessage({ text: 'Hello', attachments: [{ type: 'sticker', sticker: 1 }] })
await client.updateMessage({ ...plain, text: 'Hello again' })
const sticker: number | undefined = plain.attachments[0]?.sticker
const weight: number | undefined = plain.own_reactions[0]?.weight
const reader: string | undefined = channel.state.messages[0]?.thread_participants?.[0]?.department
const { poll } = await client.createPoll({ name: 'Tea?', quiz: true, options: [{ text: 'Yes', right: true }] })
const right: boolean | undefined = poll.options[0]?.right
await channel.addMembers([{ user_id: 'bo', nick: 'B' }])
client.on('tea.is.ready', (event): [string | undefined, number] => [event.origin, event.cups])
channel.on('tea.is.ready', (event): number => event.cups)
client.on((event) => event.type)
// @ts-expect-error there is no such event
client.on('mesage.new', () => {})
// @ts-expect-error there is no such event
channel.on('mesage.new', () => {})
// @ts-expect-error a message has a text
await channel.sendMessage({ txt: 'Hello' })
// @ts-expect-error a message has a text
await channel.send({ txt: 'Hello' })
// @ts-expect-error nobody declared this field of messages
await channel.send({ text: 'Hello', mod: 'good' })
// @ts-expect-error nobody declared this field of users
await client.connectUser({ id: 'ada', departmnt: 'tea' }, 'token')
// @ts-expect-error nobody declared this field of channels
client.channel('messaging', 'tea', { topc: 'tea' })
// @ts-expect-error nobody declared this field of members
await channel.addMembers([{ user_id: 'bo', nik: 'B' }])
// @ts-expect-error nobody declared this field of polls
await client.createPoll({ name: 'Tea?', quizz: true, options: [] })
// @ts-expect-error nobody declared this field of reactions
await channel.react(plain.id, { type: 'love', wight: 1 })
// @ts-expect-error an origin is a text
await channel.sendEvent({ type: 'tea.is.ready', origin: 1 })
// @ts-expect-error a weight is a number
await channel.react(plain.id, { type: 'love', weight: 'one' })
// @ts-expect-error a sticker is a number
await channel.send({ text: '', attachments: [{ sticker: 'one' }] })
// @ts-expect-error a nick is a text
await channel.addMembers([{ user_id: 'bo', nick: 1 }])
// @ts-expect-error an option is right or not
await client.createPoll({ name: 'Tea?', options: [{ text: 'Yes', right: 'yes' }] })
// @ts-expect-error a mood is good or bad
await channel.send({ text: 'Hello', mood: 'so-so' })
// @ts-expect-error members are a list
channel.addMembers('bo')
// @ts-expect-error a user is an object with an id
await client.connectUser('ada', 'token')
export const token: string = new Company('key', 'secret', { baseURL: 'https://chat.example.com' }).createToken('ada')
export { department, mood, nick, reader, right, said, sticker, unread, weight }
`

/** The programs of the guide: one for the application's server, one for the users' clients. */
function guide(): { atTheCompany: string; atPeoples: string } {
  const text = readFileSync(join(import.meta.dirname, '../../docs/client/README.md'), 'utf8')
  const [first = '', ...others] = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code)
  const env = 'declare const process: { env: Record<string, string | undefined> }'
  return {
    atTheCompany: `${first}\n${env}\nexport { token }`,
    atPeoples: `${others.join('\n')}\nexport { stop, channels }`,
  }
}

describe('the published package', () => {
  let folder: string
  let server: RealServer
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-client-'))
    mkdirSync(join(folder, 'package'))
    writeFileSync(join(folder, 'package/own.txt'), 'the owner’s')
    const tarball = await packClient(folder)
    const project = join(folder, 'project')
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }')
    for (const [name, text] of Object.entries({ program, bare, socketless, company }))
      writeFileSync(join(project, `${name}.js`), text)
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball], { cwd: project })
    server = await startRealServer()
    await server.company.upsertUsers([{ id: 'ada' }])
    await server.company.channel('messaging', 'tea', { created_by_id: 'ada', members: ['ada'] }).create()
  }, 180_000)
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const run = (...command: string[]) => {
    const env = {
      ...process.env,
      CHAT_URL: server.baseURL,
      CHAT_KEY: server.key,
      CHAT_TOKEN: server.company.createToken('ada'),
    }
    const [file = '', ...args] = command
    return JSON.parse(execFileSync(file, args, { cwd: join(folder, 'project'), env, encoding: 'utf8' }))
  }

  it('comes into a folder without changing what is there', () => {
    assert.equal(readFileSync(join(folder, 'package/own.txt'), 'utf8'), 'the owner’s')
    assert.deepEqual(readdirSync(folder).sort(), ['package', 'parley-client-0.1.0.tgz', 'project'])
  })

  it('contains nothing else but its licence', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'project/node_modules/@parley/client/package.json'), 'utf8'))
    assert.equal(manifest.dependencies, undefined)
    const lock = JSON.parse(readFileSync(join(folder, 'project/package-lock.json'), 'utf8'))
    assert.deepEqual(Object.keys(lock.packages), ['', 'node_modules/@parley/client'])
    assert.match(readFileSync(join(folder, 'project/node_modules/@parley/client/LICENSE'), 'utf8'), /MIT/)
  })

  it('connects, lists, sends and receives', () => {
    assert.deepEqual(run(process.execPath, 'program.js'), ['ada', 'messaging:tea', 'received', 'Hello', 'socket'])
  })

  it('does so without a document, a window or a navigator', () => {
    const ended = run(process.execPath, '--import', './bare.js', 'program.js')
    assert.deepEqual(ended, ['ada', 'messaging:tea', 'received', 'Hello', 'socket'])
  })

  it('does so on the installed Node, from 20 on, and polls where that has no WebSocket', (t) => {
    const [version = '', file = ''] = installedNode()
    if (Number.parseInt(version, 10) < 20) t.skip('only the Node that came with the repository is here')
    const over = Number.parseInt(version, 10) < 22 ? 'longpoll' : 'socket'
    assert.deepEqual(run(file, 'program.js'), ['ada', 'messaging:tea', 'received', 'Hello', over])
  })

  it('names the option where there is no WebSocket', () => {
    const message = 'initial WS connection could not be established: pass the option WebSocket'
    assert.deepEqual(run(process.execPath, 'socketless.js'), ['CLIENT_CONNECTION_FAILED', message])
  })

  it('makes tokens', () => {
    assert.equal(run(process.execPath, 'company.js'), 3)
  })

  const check = (files: Record<string, string>) => {
    const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
    const options =
      '--noEmit --skipLibCheck --strict --target es2022 --module nodenext --lib es2024,dom --allowImportingTsExtensions --types'
    const cwd = join(folder, 'project')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, `${name}.ts`), text)
    const names = Object.keys(files).map((name) => `${name}.ts`)
    execFileSync(tsc, [...options.split(' '), '', ...names], { cwd, stdio: 'pipe', encoding: 'utf8' })
  }

  it('runs the guide’s programs unchanged', () => check(guide()), 120_000)

  it('has the types of the wire as they are declared, field by field', () => {
    const protocol = join(import.meta.dirname, '../protocol/src')
    check({
      shapes: `
        import type { Message } from '@parley/client'
        import type * as published from './node_modules/@parley/client/types/protocol/src/events.js'
        import type * as declared from '${protocol}/events.ts'
        import type * as lists from '${protocol}/channels.ts'
        import type * as listed from './node_modules/@parley/client/types/protocol/src/channels.js'
        type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
        type Differing<A, B> = { [K in keyof A]: K extends keyof B ? (Same<A[K], B[K]> extends true ? never : K) : K }[keyof A]
        type Events = { [K in keyof declared.ChatEvents]: Differing<declared.ChatEvents[K], published.ChatEvents[K]> }
        export const events: [Events[keyof Events]] extends [never] ? true : Events = true
        export const state: Same<lists.ChannelState, listed.ChannelState> = true
        export const isAny: Same<Message, any> = false
      `,
    })
  }, 120_000)

  it('has types that an application extends with custom fields, and that work for nested objects', () => {
    check({ types })
  }, 120_000)
})

/** The first Node on the path that is not the repository's: its version and its file. */
function installedNode(): string[] {
  const path = process.env.PATH?.split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':')
  try {
    const print = 'console.log(process.versions.node + " " + process.execPath)'
    return execFileSync('node', ['-e', print], { env: { ...process.env, PATH: path }, encoding: 'utf8' })
      .trim()
      .split(' ')
  } catch {
    return []
  }
}
