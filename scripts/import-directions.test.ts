import { expect, it } from 'vitest'
import { floorBreaches } from './floors.ts'
import { breaches } from './import-directions.ts'
import { importsOf, type Manifest } from './imports.ts'

const manifests: Record<string, Manifest> = {
  'packages/protocol': {
    name: '@parley/protocol',
    exports: { './*': './src/*.ts' },
    dependencies: { typebox: '1.0.0' },
  },
  'packages/client': { name: '@parley/client', exports: { '.': './src/index.ts', './server': './src/server.ts' } },
  'packages/widgets': {
    name: '@parley/widgets',
    exports: { '.': './src/index.ts', './styles.css': './src/styles.css' },
  },
  'apps/server': { name: '@parley/server' },
  'apps/web': { name: '@parley/web' },
}

/** The breaches of a repository that has just this one file, as `line: why`. */
function breachesOf(path: string, text: string) {
  return breaches([{ path, text }], manifests).map(({ line, why }) => `${line}: ${why}`)
}

it('lets every part import the parts below it', () => {
  expect(
    breachesOf('apps/web/app/root.tsx', "import '@parley/widgets/styles.css'\nimport { Chat } from '@parley/client'"),
  ).toEqual([])
  expect(breachesOf('apps/web/app/root.tsx', "import styles from '@parley/widgets/styles.css?url'")).toEqual([])
  expect(breachesOf('packages/widgets/src/Chat.tsx', "import type { User } from '@parley/protocol/users'")).toEqual([])
  expect(breachesOf('apps/server/src/app.ts', "import { errorKinds } from '@parley/protocol/errors'")).toEqual([])
})

it('names the line of an import against the direction', () => {
  expect(breachesOf('packages/protocol/src/users.ts', "// why\nimport { Chat } from '@parley/client'")).toEqual([
    '2: packages/protocol may not import packages/client; it may import no other part',
  ])
  expect(breachesOf('packages/client/src/chat.ts', "import type { Props } from '@parley/widgets'")).toHaveLength(1)
})

it.each([
  "import { type Server } from '@parley/server'",
  "export * from '@parley/server'",
  "type Server = import('@parley/server').Server",
  "const server = await import('@parley/server')",
  "import { startServer } from '../../server/src/app.ts'",
])('keeps server and web apart: %s', (text) => {
  expect(breachesOf('apps/web/app/chat.ts', text)).toHaveLength(1)
})

it('ignores examples in comments and strings', () => {
  const text = "/** import { a } from '@parley/server' */\nexport const example = `import '@parley/server'`"
  expect(breachesOf('apps/web/app/chat.ts', text)).toEqual([])
})

it('enters packages through their exports only', () => {
  expect(breachesOf('apps/web/app/a.ts', "import { x } from '@parley/widgets/src/x.ts'")).toEqual([
    '1: @parley/widgets/src/x.ts is not among the exports of packages/widgets/package.json',
  ])
  expect(breachesOf('apps/web/app/a.ts', "import { x } from '../../../packages/widgets/src/x.ts'")).toEqual([
    '1: ../../../packages/widgets/src/x.ts reaches into packages/widgets; import the package by its name',
  ])
})

it('allows end-to-end tests and the bench to use the services of scripts/', () => {
  expect(breachesOf('e2e/chat.test.ts', "import { startNats } from '../scripts/services/nats.ts'")).toEqual([])
  expect(breachesOf('e2e/chat.test.ts', "import { app } from '../apps/server/src/app.ts'")).toHaveLength(1)
})

it('allows the server’s tests to use the client, but nothing else of the server', () => {
  const text = "import { Chat } from '@parley/client'"
  expect(breachesOf('apps/server/src/features/polls/polls.test.ts', text)).toEqual([])
  expect(breachesOf('apps/server/src/features/polls/cast-vote.ts', text)).toHaveLength(1)
})

it('leaves a store to its own noun and to app.ts', () => {
  const text = "import { votesOf } from '../../features/polls/poll-store.ts'"
  expect(breachesOf('apps/server/src/chat/messages/send-message.ts', text)).toEqual([
    '1: poll-store.ts is touched by apps/server/src/features/polls alone; call a rule or an access function of that noun',
  ])
  expect(
    breachesOf('apps/server/src/features/polls/cast-vote.ts', "import { votesOf } from './poll-store.ts'"),
  ).toEqual([])
  expect(breachesOf('apps/server/src/app.ts', "import { votesOf } from './polls/poll-store.ts'")).toEqual([])
})

it('keeps Node out of the client, except its server entry and its tests', () => {
  const text = "import { createHmac } from 'node:crypto'"
  expect(breachesOf('packages/client/src/token.ts', text)).toEqual([
    '1: the client runs in browsers too; node:crypto is for packages/client/src/server.ts alone',
  ])
  expect(breachesOf('packages/client/src/server.ts', text)).toEqual([])
  expect(breachesOf('packages/client/src/token.test.ts', text)).toEqual([])
})

it('finds a dependency that would reach the client through protocol', () => {
  const found = breaches(
    [
      { path: 'packages/client/src/chat.ts', text: "import type { User } from '@parley/protocol/users'" },
      { path: 'packages/client/src/polls.ts', text: "import { Poll } from '@parley/protocol/polls'" },
      { path: 'packages/protocol/src/polls.ts', text: "\nimport Type from 'typebox'" },
      { path: 'packages/protocol/src/users.ts', text: "import Type from 'typebox'" },
    ],
    manifests,
  )
  expect(found).toEqual([
    {
      path: 'packages/protocol/src/polls.ts',
      line: 2,
      why: 'the client has no runtime dependencies, and this would bring typebox along',
    },
  ])
})

it('refuses a runtime dependency in the client’s package.json', () => {
  const client = { name: '@parley/client', dependencies: { ws: '8.0.0' } }
  expect(breaches([], { ...manifests, 'packages/client': client })).toEqual([
    {
      path: 'packages/client/package.json',
      line: 1,
      why: 'the client has no runtime dependencies, so ws cannot be one',
    },
  ])
})

it('lets the server’s folders import from their own floor and from those below', () => {
  const breachesOf = (path: string, specifier: string, listed: string[] = []) =>
    floorBreaches(importsOf({ path: `apps/server/src/${path}`, text: `import { a } from '${specifier}'` }), listed).map(
      ({ why }) => why,
    )
  expect(breachesOf('features/polls/cast-vote.ts', '../../chat/messages/message-access.ts')).toEqual([])
  expect(breachesOf('features/polls/cast-vote.ts', '../threads/thread-access.ts')).toEqual([])
  expect(breachesOf('chat/messages/erase.ts', '../../server.ts')).toEqual([])
  expect(breachesOf('app.ts', './administration/usage/usage.ts')).toEqual([])
  expect(breachesOf('chat/messages/send.test.ts', '../../features/polls/cast-vote.ts')).toEqual([])
  const upward = 'chat/messages/send.ts -> features/polls/cast-vote.ts'
  expect(breachesOf('chat/messages/send.ts', '../../features/polls/cast-vote.ts')).toEqual([
    `${upward} runs up; imports run administration → features → chat → platform`,
  ])
  expect(breachesOf('chat/messages/send.ts', '../../features/polls/cast-vote.ts', [upward])).toEqual([])
  expect(breachesOf('chat/messages/send.ts', './other.ts', [upward])).toEqual([`${upward} is gone: delete the line`])
})
