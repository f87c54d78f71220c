import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { onEveryStorage } from '../testing/stage.ts'

const guest = (name: string) => ({ body: { user: { id: name, name } } })

describe('a server that strangers reach', () => {
  onEveryStorage(
    (stage) => {
      it('[SET-6] lets one network bring so many guests a minute, and as many again in the next', async () => {
        const { company } = await stage.company()
        stage.clock.advance(60_000 - (stage.clock.now() % 60_000))
        const first = await company.does('POST', '/guest', guest('gil'))
        assert.match(first.user.id, /^guest-/)
        await company.does('POST', '/guest', guest('gus'))
        const refused = await company.isRefused(9, 'POST', '/guest', guest('guy'))
        assert.match(refused.message, /2 guests a minute/)
        stage.clock.advance(60_000)
        await company.does('POST', '/guest', guest('guy'))
      })

      it('[SET-6] takes no files of guests', async () => {
        const { ada, company } = await stage.company('ada')
        stage.clock.advance(60_000)
        const { user, access_token } = await company.does('POST', '/guest', guest('gil'))
        const room = await company.opens([ada], {}, 'livestream')
        const { url } = stage.nodes[0]!
        for (const address of [`/channels/${room.replace(':', '/')}/file`, '/uploads/image']) {
          const form = new FormData()
          form.append('file', new Blob(['tea']), 'tea.txt')
          const answer = await fetch(`${url}${address}?api_key=${company.app.key}&user_id=${user.id}`, {
            method: 'POST',
            headers: { Authorization: access_token, 'stream-auth-type': 'jwt' },
            body: form,
          })
          assert.deepEqual([answer.status, ((await answer.json()) as { code: number }).code], [403, 17], address)
        }
      })

      it('[SET-6] closes a socket that sends too many frames, and leaves the others alone', async () => {
        const { ada, bo, company } = await stage.company('ada', 'bo')
        const room = await company.opens([ada, bo])
        await ada.connects()
        await ada.watches(room)
        const query = new URLSearchParams({
          api_key: company.app.key,
          'stream-auth-type': 'jwt',
          authorization: bo.token,
        })
        query.set('json', JSON.stringify({ user_id: 'bo', user_details: { id: 'bo' } }))
        const socket = new WebSocket(`${stage.nodes[0]!.url.replace('http', 'ws')}/connect?${query}`)
        let closedWith = 0
        socket.on('close', (code) => {
          closedWith = code
        })
        await new Promise((begun) => socket.once('message', begun))
        for (let i = 0; i < 11; i++) i % 2 ? socket.ping() : socket.send('[{"type":"health.check"}]')
        await expect.poll(() => closedWith).toBe(1008)
        await bo.says(room, 'still here')
        await ada.hears('message.new')
      })
    },
    { GUESTS_PER_MINUTE: '2', GUEST_UPLOADS: 'off', FRAMES_PER_MINUTE: '10' },
  )

  onEveryStorage(
    (stage) => {
      it('[SET-6] lets no guests in where none are wanted', async () => {
        const { company } = await stage.company()
        await company.isRefused(17, 'POST', '/guest', guest('gil'))
      })
    },
    { GUESTS_PER_MINUTE: '0' },
  )
})
