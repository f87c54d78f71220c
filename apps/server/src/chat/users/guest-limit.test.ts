import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { onEveryStorage } from '../../testing/fixture.ts'

const guest = (name: string) => ({ body: { user: { id: name, name } } })

describe('a public server', () => {
  onEveryStorage(
    (fixture) => {
      it('[SET-6] lets one network create so many guests per minute, and as many in the next', async () => {
        const { appServer } = await fixture.createApp()
        fixture.clock.advance(60_000 - (fixture.clock.now() % 60_000))
        const first = await appServer.does('POST', '/guest', guest('gil'))
        assert.match(first.user.id, /^guest-/)
        await appServer.does('POST', '/guest', guest('gus'))
        const refused = await appServer.isRefused(9, 'POST', '/guest', guest('guy'))
        assert.match(refused.message, /2 guests a minute/)
        fixture.clock.advance(60_000)
        await appServer.does('POST', '/guest', guest('guy'))
      })

      it('[SET-6] refuses uploads of guests', async () => {
        const { ada, appServer } = await fixture.createApp('ada')
        fixture.clock.advance(60_000)
        const { user, access_token } = await appServer.does('POST', '/guest', guest('gil'))
        const room = await appServer.opens([ada], {}, 'livestream')
        const { url } = fixture.nodes[0]!
        for (const address of [`/channels/${room.replace(':', '/')}/file`, '/uploads/image']) {
          const form = new FormData()
          form.append('file', new Blob(['tea']), 'tea.txt')
          const answer = await fetch(`${url}${address}?api_key=${appServer.app.key}&user_id=${user.id}`, {
            method: 'POST',
            headers: { Authorization: access_token, 'stream-auth-type': 'jwt' },
            body: form,
          })
          assert.deepEqual([answer.status, ((await answer.json()) as { code: number }).code], [403, 17], address)
        }
      })

      it('[SET-6] closes a socket that sends too many frames, and leaves the others open', async () => {
        const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
        const room = await appServer.opens([ada, bo])
        await ada.connects()
        await ada.watches(room)
        const query = new URLSearchParams({
          api_key: appServer.app.key,
          'stream-auth-type': 'jwt',
          authorization: bo.token,
        })
        query.set('json', JSON.stringify({ user_id: 'bo', user_details: { id: 'bo' } }))
        const socket = new WebSocket(`${fixture.nodes[0]!.url.replace('http', 'ws')}/connect?${query}`)
        let closedWith = 0
        socket.on('close', (code) => {
          closedWith = code
        })
        await new Promise((begun) => socket.once('message', begun))
        for (let i = 0; i < 11; i++) i % 2 ? socket.ping() : socket.send('[{"type":"health.check"}]')
        await expect.poll(() => closedWith).toBe(1008)
        await bo.sends(room, 'still here')
        await ada.receives('message.new')
      })
    },
    { GUESTS_PER_MINUTE: '2', GUEST_UPLOADS: 'off', FRAMES_PER_MINUTE: '10' },
  )

  onEveryStorage(
    (fixture) => {
      it('[SET-6] refuses guests where they are disabled', async () => {
        const { appServer } = await fixture.createApp()
        await appServer.isRefused(17, 'POST', '/guest', guest('gil'))
      })
    },
    { GUESTS_PER_MINUTE: '0' },
  )
})
