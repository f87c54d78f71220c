/** Every error code, each with a call that causes it [messaging.md 1.7]. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorKindOf, isRetryable } from '@parley/protocol/errors'
import { describe, it, onTestFinished } from 'vitest'
import { startServer } from '../../app.ts'
import { readSettings } from '../../platform/settings.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { type Fixture, onEveryStorage, type TestApp } from '../../testing/fixture.ts'
import { AppServer, path, sign, type TestUser } from '../../testing/test-user.ts'

interface Refusal {
  code: number
  name: string
  status: number
  retry: boolean
  /** The operation at the start of the message. */
  operation: string
  /** The invalid fields; none for an error that is not about input. */
  fields?: string[]
}

/** Three users, the first two of them in a channel. */
type Scene = TestApp<'ada' | 'bo' | 'cy'> & { room: string; fixture: Fixture }
type Answer = Awaited<ReturnType<TestUser['call']>>

function holds(refusal: Refusal, { status, body }: Answer) {
  const { code, name, operation, retry, fields } = refusal
  const { message, duration, more_info, exception_fields, ...rest } = body
  assert.deepEqual(rest, { code, StatusCode: refusal.status, details: [] })
  assert.equal(status, refusal.status)
  assert.match(message, new RegExp(`^${operation} failed with error: ".+"$`, 's'))
  assert.match(duration, /^\d+\.\d\dms$/)
  assert.equal(typeof more_info, 'string')
  assert.deepEqual(exception_fields && Object.keys(exception_fields), fields)
  assert.deepEqual([errorKindOf(code), isRetryable(code)], [name, retry])
}

onEveryStorage((fixture) => {
  const refuses = (refusal: Refusal, act: (scene: Scene) => Promise<Answer>) => async () => {
    const appServer = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.appServer.opens([appServer.ada, appServer.bo])
    holds(refusal, await act({ ...appServer, room, fixture }))
  }
  const sends = (testUser: TestUser, room: string, message: object, options: object = {}) =>
    testUser.call('POST', `${path(room)}/message`, { body: { message, ...options } })
  const withToken =
    (claims: object, header?: object, secret?: string) =>
    async ({ ada }: Scene) => {
      const device = ada.device()
      device.token = sign(secret ?? ada.app.secret, { user_id: 'ada', ...claims }, header)
      return device.call('GET', '/app')
    }
  const seconds = (ahead: number) => Math.floor(fixture.clock.now() / 1000) + ahead

  it(
    '[ERR-4] an internal error is -1',
    refuses(
      { code: -1, name: 'InternalSystemError', status: 500, retry: true, operation: 'GetMessage' },
      async ({ ada }) => {
        await ada.does('GET', '/app')
        return withoutDatabase(fixture, () => ada.call('GET', '/messages/hello'))
      },
    ),
  )

  it(
    '[ERR-5] an unknown API key is 2',
    refuses({ code: 2, name: 'AccessKeyError', status: 401, retry: false, operation: 'GetApp' }, async ({ ada }) =>
      ada.call('GET', '/app', { query: { api_key: 'nobody' } }),
    ),
  )

  it(
    '[ERR-6] a failed user lookup is 3, and retryable',
    refuses(
      { code: 3, name: 'AuthenticationFailedError', status: 401, retry: true, operation: 'GetApp' },
      async ({ ada, appServer }) => {
        await ada.does('GET', '/app')
        const dora = appServer.user('dora')
        await appServer.createUsers('dora')
        fixture.nodes[0]!.server.users.forget(`${dora.app.id}|dora`)
        const answer = await withoutDatabase(fixture, () => dora.call('GET', '/app'))
        await dora.does('GET', '/app')
        return answer
      },
    ),
  )

  it(
    '[ERR-32] a moderation block of anything but a message is 73',
    refuses(
      { code: 73, name: 'MessageModerationFailed', status: 400, retry: false, operation: 'UpdateChannel' },
      async ({ ada, appServer, room }) => {
        await appServer.does('POST', '/blocklists', { body: { name: 'cakes', words: ['cream'] } })
        await appServer.does('PUT', '/channeltypes/messaging', {
          body: { blocklist: 'cakes', blocklist_behavior: 'block' },
        })
        return ada.call('POST', path(room), { body: { message: { text: 'Cream' } } })
      },
    ),
  )

  it(
    '[ERR-7] invalid input is 4, and names the field',
    refuses(
      { code: 4, name: 'InputError', status: 400, retry: false, operation: 'SendMessage', fields: ['message.text'] },
      async ({ ada, room }) => sends(ada, room, { text: ' ' }),
    ),
  )

  it(
    '[ERR-7] input of the wrong type is 4 for each of its fields',
    refuses(
      {
        ...{ code: 4, name: 'InputError', status: 400, retry: false, operation: 'QueryChannels' },
        fields: ['limit', 'watch'],
      },
      async ({ ada }) => ada.call('POST', '/channels', { body: { limit: 'all', watch: 1 } }),
    ),
  )

  it(
    '[ERR-32] a token that can never be valid is 5',
    refuses(
      { code: 5, name: 'AuthenticationError', status: 401, retry: false, operation: 'GetApp' },
      withToken({ user_id: 7 }),
    ),
  )

  it(
    '[ERR-8] a taken name is 6',
    refuses(
      { code: 6, name: 'DuplicateUsernameError', status: 400, retry: false, operation: 'UpdateUsers' },
      async ({ ada, appServer }) => {
        await appServer.does('PATCH', '/app', { body: { enforce_unique_usernames: 'app' } })
        return ada.call('POST', '/users', { body: { users: { ada: { id: 'ada', name: ' B O! ' } } } })
      },
    ),
  )

  it(
    '[ERR-10] a missing object is 16',
    refuses(
      { code: 16, name: 'DoesNotExistError', status: 404, retry: false, operation: 'GetMessage' },
      async ({ ada }) => ada.call('GET', '/messages/nowhere'),
    ),
  )

  it(
    '[ERR-11] a forbidden action is 17',
    refuses(
      { code: 17, name: 'NotAllowedError', status: 403, retry: false, operation: 'SendMessage' },
      async ({ cy, room }) => sends(cy, room, { text: 'Hello' }),
    ),
  )

  it(
    '[ERR-12] an event type that clients may not send is 18',
    refuses(
      { code: 18, name: 'EventNotSupportedError', status: 400, retry: false, operation: 'SendEvent' },
      async ({ ada, room }) => ada.call('POST', `${path(room)}/event`, { body: { event: { type: 'message.new' } } }),
    ),
  )

  it(
    '[ERR-13] a feature disabled by the channel type is 19',
    refuses(
      { code: 19, name: 'ChannelFeatureNotSupportedError', status: 400, retry: false, operation: 'SendReaction' },
      async ({ ada, appServer }) => {
        const { id } = await ada.sends(await appServer.opens([ada], {}, 'gaming'), 'Hello')
        return ada.call('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
      },
    ),
  )

  it(
    '[ERR-14] a too long message is 20',
    refuses(
      { code: 20, name: 'MessageTooLongError', status: 400, retry: false, operation: 'SendMessage' },
      async ({ ada, room }) => sends(ada, room, { text: 'x'.repeat(5_001) }),
    ),
  )

  it(
    '[ERR-15] a reply to a reply is 21',
    refuses(
      { code: 21, name: 'MultipleNestingLevelError', status: 400, retry: false, operation: 'SendMessage' },
      async ({ ada, room }) => {
        const parent = await ada.sends(room, 'Hello')
        const reply = await ada.sends(room, 'Hi', { parent_id: parent.id })
        return sends(ada, room, { text: 'Hey', parent_id: reply.id })
      },
    ),
  )

  it(
    '[ERR-16] too much custom data is 22',
    refuses(
      { code: 22, name: 'PayloadTooBigError', status: 413, retry: false, operation: 'SendMessage' },
      async ({ ada, room }) => sends(ada, room, { text: 'Hello', note: 'x'.repeat(5_200) }),
    ),
  )

  it(
    '[ERR-19] an expired token is 40',
    refuses({ code: 40, name: 'AuthErrorTokenExpired', status: 401, retry: false, operation: 'GetApp' }, (scene) =>
      withToken({ exp: seconds(-1) })(scene),
    ),
  )

  it(
    '[ERR-20] a token that is not valid yet is 41',
    refuses({ code: 41, name: 'AuthErrorTokenNotValidYet', status: 401, retry: false, operation: 'GetApp' }, (scene) =>
      withToken({ nbf: seconds(60) })(scene),
    ),
  )

  it(
    '[ERR-21] a token issued in the future is 42',
    refuses(
      { code: 42, name: 'AuthErrorTokenUsedBeforeIssuedAt', status: 401, retry: false, operation: 'GetApp' },
      (scene) => withToken({ iat: seconds(60) })(scene),
    ),
  )

  it(
    '[ERR-22] a token with another signature is 43',
    refuses(
      { code: 43, name: 'AuthErrorTokenSignatureInvalid', status: 401, retry: false, operation: 'GetApp' },
      withToken({}, undefined, 'the secret of somebody else'),
    ),
  )

  it(
    '[ERR-23] a command without a handler is 44',
    refuses(
      { code: 44, name: 'CustomCommandEndpointMissingError', status: 400, retry: false, operation: 'SendMessage' },
      async ({ ada, appServer, room }) => {
        await hasCommand(appServer)
        return sends(ada, room, { text: '/ticket broken' })
      },
    ),
  )

  it(
    '[ERR-24] a command whose handler is unreachable is 45, and retryable',
    refuses(
      { code: 45, name: 'CustomCommandEndpointCallError', status: 400, retry: true, operation: 'SendMessage' },
      async ({ ada, appServer, room }) => {
        await hasCommand(appServer)
        // A URL that the outbound guard refuses.
        await appServer.does('PATCH', '/app', { body: { custom_action_handler_url: 'http://127.0.0.1:9/' } })
        return sends(ada, room, { text: '/ticket broken' })
      },
    ),
  )

  it(
    '[ERR-25] a missing connection is 46',
    refuses(
      { code: 46, name: 'ConnectionIDNotFoundError', status: 400, retry: false, operation: 'LongPoll' },
      async ({ ada }) => ada.call('GET', '/longpoll', { query: { connection_id: 'nowhere' } }),
    ),
  )

  it(
    '[ERR-26] posting again too soon is 60, and retryable later',
    refuses(
      { code: 60, name: 'CoolDownError', status: 403, retry: true, operation: 'SendMessage' },
      async ({ ada, appServer, room }) => {
        await appServer.does('PATCH', path(room), { body: { set: { cooldown: 30 } } })
        await ada.sends(room, 'Hello')
        const answer = await sends(ada, room, { text: 'Hello?' })
        fixture.clock.advance(30_000)
        await ada.sends(room, 'Hello!')
        return answer
      },
    ),
  )

  it(
    '[ERR-28] a filter that matches unreadable channels is 70',
    refuses(
      { code: 70, name: 'ErrQueryChannelPermissions', status: 403, retry: false, operation: 'QueryChannels' },
      async ({ cy }) => cy.call('POST', '/channels', { body: { filter_conditions: {} } }),
    ),
  )
})

describe('on a separate server', () => {
  it('[ERR-27] an app of another region is 69, for calls and for sockets', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-region-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const at = { DATABASE_URL: `sqlite:${join(folder, 'chat.sqlite')}`, DATA_DIR: folder }
    const wrong: Refusal = { code: 69, name: 'ErrWrongRegion', status: 403, retry: false, operation: 'GetApp' }

    await withServer({ ...at, REGION: 'eu-west' }, async ({ appServer, ada }) => {
      assert.equal((await appServer.does('GET', '/app')).app.placement, 'eu-west')
      await ada.does('GET', '/app')
    })
    await withServer({ ...at, REGION: 'us-east' }, async ({ appServer, ada }) => {
      for (const caller of [appServer, ada]) holds(wrong, await caller.call('GET', '/app'))
      assert.equal((await ada.connects()).error.code, 69)
    })
    const homes: Record<string, string>[] = [{ REGION: 'eu-west' }, {}]
    for (const here of homes)
      await withServer({ ...at, ...here }, async ({ ada }) => void (await ada.does('GET', '/app')))
  })

  it('[ERR-9] a rate-limited caller gets 9, and may retry later', async () => {
    await withServer({ RATE_LIMIT_PER_MINUTE: '1' }, async ({ ada }) => {
      const often: Refusal = { code: 9, name: 'RateLimitError', status: 429, retry: true, operation: 'GetApp' }
      await ada.does('GET', '/app')
      holds(often, await ada.call('GET', '/app'))
    })
  })
})

/** The app has a custom command, and its channels enable it. */
async function hasCommand(appServer: AppServer) {
  await appServer.does('POST', '/commands', { body: { name: 'ticket', description: 'Open a ticket' } })
  await appServer.does('PUT', '/channeltypes/messaging', { body: { commands: ['ticket'] } })
}

/** The error while no query reaches the database. */
async function withoutDatabase(fixture: Fixture, act: () => Promise<Answer>): Promise<Answer> {
  const executor = fixture.nodes[0]!.server.database.read.getExecutor()
  const execute = executor.executeQuery
  executor.executeQuery = async () => {
    throw new Error('the database does not answer')
  }
  try {
    return await act()
  } finally {
    executor.executeQuery = execute
  }
}

async function withServer(
  env: Record<string, string>,
  tell: (home: { appServer: AppServer; ada: TestUser }) => Promise<void>,
) {
  const clock = new FakeClock()
  const key = { API_KEY: 'tea', API_SECRET: 'a secret that is long' }
  const settings = readSettings({ PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: 'sqlite::memory:', ...key, ...env })
  const running = await startServer(settings, clock)
  try {
    const app = { id: 'tea', key: 'tea', secret: key.API_SECRET, name: 'tea', created_at: 0, settings_json: '{}' }
    const appServer = new AppServer(running.url, app, clock)
    await appServer.call('POST', '/users', { body: { users: { ada: { id: 'ada' } } } })
    await tell({ appServer, ada: appServer.user('ada') })
  } finally {
    await running.stop()
  }
}
