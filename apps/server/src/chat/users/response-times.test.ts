import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { RunningServer } from '../../app.ts'
import { eventually } from '../../testing/eventually.ts'
import type { FakeClock } from '../../testing/fake-clock.ts'
import { onEveryTransport } from '../../testing/fixture.ts'
import type { AppServer } from '../../testing/test-user.ts'

type Place = { clock: FakeClock; nodes: readonly RunningServer[] }

/** The next run for the app, in milliseconds. */
const nextLook = async ({ nodes }: Place, { app }: AppServer) => {
  const { read } = nodes[0]!.server.database
  const due = read.selectFrom('due').select('at').where('app', '=', app.id).where('kind', '=', 'response_times')
  const row = await due.executeTakeFirst()
  return row && row.at / 1000
}

const times = async (appServer: AppServer) => {
  const payload = JSON.stringify({ filter_conditions: {}, sort: [{ field: 'id', direction: 1 }] })
  const { users } = await appServer.does('GET', '/users', { query: { payload } })
  return users.map((user: { id: string; avg_response_time?: number }) => [user.id, user.avg_response_time])
}

onEveryTransport((fixture) => {
  it('an app that enables response times gets them per user, and disabling clears them', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const sets = (enabled: boolean) =>
      appServer.does('PATCH', '/app', { body: { user_response_time_enabled: enabled } })
    const later = (seconds: number) => fixture.clock.advance(seconds * 1_000)
    const isLookedAt = async () => {
      later(90)
      await eventually(
        async () => ((await nextLook(fixture, appServer)) ?? 0) > fixture.clock.now(),
        'all that was said is looked at',
      )
    }

    await ada.sends(room, 'Before anybody wanted to know')
    await sets(true)
    await eventually(async () => (await nextLook(fixture, appServer)) !== undefined, 'the app is looked at')
    later(5)
    await bo.sends(room, 'Tea?')
    later(20)
    const { id } = await ada.sends(room, 'Yes')
    await isLookedAt()
    assert.deepEqual(await times(appServer), [
      ['ada', 20],
      ['bo', 5],
    ])

    await ada.sends(room, 'With milk')
    later(25)
    await bo.sends(room, 'In a thread', { parent_id: id })
    later(10)
    await bo.sends(room, 'Here it is')
    await bo.sends(room, 'Careful, it is hot')
    later(25 * 3_600)
    await ada.sends(room, 'Good morning')
    await isLookedAt()
    assert.deepEqual(await times(appServer), [
      ['ada', 20],
      ['bo', 20],
    ])
    const { message } = await ada.does('GET', `/messages/${id}`)
    assert.equal(message.user.avg_response_time, 20)

    await sets(false)
    // A node that has not learned of it yet runs once more.
    await eventually(async () => {
      later(90)
      return (await nextLook(fixture, appServer)) === undefined
    }, 'nobody looks any more')
    assert.deepEqual(await times(appServer), [
      ['ada', undefined],
      ['bo', undefined],
    ])
  })
})
