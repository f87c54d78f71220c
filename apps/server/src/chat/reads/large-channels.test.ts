/** Why sending costs the same with ten members and with ten thousand: docs/subsystems/unread-counts.md */
import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { statementsUntil } from '../../testing/statements.ts'
import { path } from '../../testing/test-user.ts'

const MEMBERS = 10_000
const USERS_PER_CALL = 100
const MEMBERS_PER_CALL = 100

onEveryStorage((fixture) => {
  it('counts are exact for ten thousand members, and a message costs the same as among ten', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    const crowd = Array.from({ length: MEMBERS - 2 }, (_, i) => `member-${i}`)
    for (let i = 0; i < crowd.length; i += USERS_PER_CALL)
      await appServer.createUsers(...crowd.slice(i, i + USERS_PER_CALL))
    const small = await appServer.opens([ada, bo, ...crowd.slice(0, 8).map((id) => appServer.user(id))])
    const large = await appServer.opens([ada, bo])
    for (let i = 0; i < crowd.length; i += MEMBERS_PER_CALL)
      await appServer.does('POST', path(large), { body: { add_members: crowd.slice(i, i + MEMBERS_PER_CALL) } })
    assert.equal((await ada.opensChannel(large)).channel.member_count, MEMBERS)

    const statements = async (cid: string) => {
      await ada.sends(cid, 'warm')
      return await statementsUntil(() => ada.sends(cid, 'hello'))
    }
    assert.deepEqual(await statements(large), await statements(small))

    await bo.reads(large)
    await bo.sends(large, 'my own does not count for me')
    await ada.sends(large, 'one')
    const { id } = await ada.sends(large, 'two')
    await ada.does('DELETE', `/messages/${id}`)
    const few = ['ada', 'bo', crowd[0]!, crowd[5_000]!, crowd.at(-1)!]
    const { counts_by_user } = await appServer.does('POST', '/unread_batch', { body: { user_ids: few } })
    const inLarge = few.map(
      (id) =>
        counts_by_user[id].channels.find((channel: { channel_id: string }) => channel.channel_id === large)
          ?.unread_count ?? 0,
    )
    assert.deepEqual(inLarge, [0, 1, 4, 4, 4])
  }, 120_000)
})
