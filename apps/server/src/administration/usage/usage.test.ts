import assert from 'node:assert/strict'
import { it, vi } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import type { AppServer } from '../../testing/test-user.ts'
import { dayOf, Usage } from './usage.ts'

const usageOf = async (appServer: AppServer) => (await usage(appServer)).teams.map(({ team }: { team: string }) => team)
const usage = (appServer: AppServer, body: object = {}) => appServer.does('POST', '/stats/team_usage', { body })

onEveryTransport((fixture) => {
  it('the usage of each team is counted: active users, writing users and messages', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await appServer.does('PATCH', '/app', { body: { multi_tenant_enabled: true } })
    const users = ['ada', 'bo'].map((id) => ({ id, set: { teams: ['blue'] } }))
    await appServer.does('PATCH', '/users', { body: { users } })
    const blue = await appServer.opens([ada, bo], { team: 'blue' })
    const open = await appServer.opens([cy])
    await ada.connects()
    await bo.connects()
    await bo.device().connects()
    for (const text of ['one', 'two', 'three']) await ada.sends(blue, text)
    await appServer.does('POST', `/channels/${open.replace(':', '/')}/message`, {
      body: { message: { text: 'hi', user_id: 'cy' } },
    })
    for (const { server } of fixture.nodes) await server.usage.write()

    const { teams, next } = await usage(appServer)
    assert.deepEqual([teams.length, next], [2, undefined])
    const [none, team] = teams
    assert.deepEqual(
      [none.team, none.messages_total, none.users_engaged_month_to_date],
      ['', { total: 1 }, { total: 1 }],
    )
    assert.equal(team.team, 'blue')
    const { users_daily, messages_daily, concurrent_users, concurrent_connections } = team
    assert.deepEqual(
      [users_daily, messages_daily, concurrent_users, concurrent_connections].map(({ total }) => total),
      [2, 3, 2, 3],
    )
    const { users_total, users_last_24_hours, users_last_30_days, users_engaged_last_30_days } = team
    assert.deepEqual(
      [users_total, users_last_24_hours, users_last_30_days, users_engaged_last_30_days].map(({ total }) => total),
      [2, 2, 2, 1],
    )
  })
})

onEveryStorage((fixture) => {
  it('days are separate when dates are requested, and pages follow one another', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await appServer.does('PATCH', '/app', { body: { multi_tenant_enabled: true } })
    const room = await appServer.opens([ada])
    const { server } = fixture.nodes[0]!
    const first = fixture.clock.now()
    await ada.sends(room, 'today')
    await server.usage.write()
    fixture.clock.advance(2 * 86_400_000)
    await ada.sends(room, 'the day after tomorrow')
    await ada.sends(room, 'and once more')
    const [start_date, between, end_date] = [0, 1, 2].map((days) => dayOf(first + days * 86_400_000))
    const [team] = (await usage(appServer, { start_date, end_date })).teams
    const valuesOf = ({ daily }: { daily: { date: string; value: number }[] }) => daily.map(({ value }) => value)
    assert.deepEqual(
      team.messages_daily.daily.map(({ date }: { date: string }) => date),
      [start_date, between, end_date],
    )
    assert.deepEqual([team.messages_daily.total, valuesOf(team.messages_daily)], [3, [1, 0, 2]])
    assert.deepEqual([team.messages_total.total, valuesOf(team.messages_total)], [3, [1, 1, 3]])
    assert.deepEqual([team.users_daily.total, valuesOf(team.users_daily)], [2, [1, 0, 1]])
    assert.deepEqual([team.users_last_30_days.total, valuesOf(team.users_last_30_days)], [1, [1, 1, 1]])
    assert.deepEqual((await usage(appServer, { month: '2001-01' })).teams, [])

    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'ada', set: { teams: ['blue'] } }] } })
    await ada.sends(await appServer.opens([ada], { team: 'blue' }), 'hello')
    const page = await usage(appServer, { limit: 1 })
    assert.deepEqual([page.teams.length, page.teams[0].team], [1, ''])
    const rest = await usage(appServer, { limit: 1, next: page.next })
    assert.deepEqual([rest.teams[0].team, rest.next], ['blue', undefined])
    const { appServer: other } = await fixture.createApp()
    assert.deepEqual((await usage(other)).teams, [])
  })

  it('an app without teams has no usage of teams, whatever its users do', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await ada.sends(await appServer.opens([ada]), 'hello')
    assert.deepEqual(await usageOf(appServer), [])
    const day = dayOf(fixture.clock.now())
    assert.deepEqual((await usage(appServer, { start_date: day, end_date: day })).teams, [])
    // Once there are teams, what happens outside them is part of the whole.
    await appServer.does('PATCH', '/app', { body: { multi_tenant_enabled: true } })
    assert.deepEqual(await usageOf(appServer), [''])
  })

  it('a failed write is repeated the next time', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await appServer.does('PATCH', '/app', { body: { multi_tenant_enabled: true } })
    const room = await appServer.opens([ada])
    const { server } = fixture.nodes[0]!
    await server.usage.write()
    await ada.sends(room, 'hello')
    const broken = vi.spyOn(server.commit, 'writeAlong').mockRejectedValue(new Error('the disk is tired'))
    await assert.rejects(server.usage.write(), /tired/)
    broken.mockRestore()
    const [team] = (await usage(appServer)).teams
    assert.deepEqual([team.messages_daily.total, team.users_engaged_month_to_date.total], [1, 1])
  })

  it('many active users are each counted once a day, however few are kept in memory', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PATCH', '/app', { body: { multi_tenant_enabled: true } })
    const cid = await appServer.opens([ada, bo])
    const { server } = fixture.nodes[0]!
    const app = appServer.app.id
    const channel = (await server.channels.get(app, cid))!
    const forgetful = new Usage('forgetful', () => server, 1)
    for (const id of ['ada', 'bo', 'ada']) forgetful.said(channel, (await server.users.get(app, id))!)
    await forgetful.write()
    const { teams } = await usage(appServer)
    assert.deepEqual(
      [teams[0].users_engaged_month_to_date, teams[0].messages_month_to_date],
      [{ total: 2 }, { total: 3 }],
    )
  })

  it('invalid requests are refused', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await ada.isRefused(17, 'POST', '/stats/team_usage', { body: {} })
    for (const body of [
      { month: '2020-13' },
      { month: '2020' },
      { start_date: '2020-01-01' },
      { start_date: '2020-01-02', end_date: '2020-01-01' },
      { start_date: '2020-02-30', end_date: '2020-03-01' },
      { start_date: '2020-01-01', end_date: '2021-03-01' },
      { month: '2020-01', start_date: '2020-01-01', end_date: '2020-01-02' },
      { limit: 31 },
      { limit: 0 },
    ])
      await appServer.isRefused(4, 'POST', '/stats/team_usage', { body })
  })
})
