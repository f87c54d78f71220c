import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Stack } from './kit/stack.ts'
import { theProduct } from './kit/the-product.ts'

/** The sender's host: it records every request, and would serve a picture to any client. */
const visits: { url: string; headers: IncomingHttpHeaders }[] = []
let picture: Buffer
const spy = createServer((request, answer) => {
  visits.push({ url: request.url!, headers: request.headers })
  if (request.url!.startsWith('/dead')) return void request.socket.destroy()
  if (request.url!.startsWith('/page'))
    return void answer
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<title>All about tea</title><meta property="og:image" content="/card.png">')
  answer.writeHead(200, { 'Content-Type': 'image/png' }).end(picture)
})
beforeAll(async () => {
  picture = await sharp({ create: { width: 120, height: 90, channels: 3, background: '#2a9d8f' } })
    .png()
    .toBuffer()
  await new Promise<void>((listening) => spy.listen(0, '127.0.0.1', listening))
})
afterAll(() => {
  spy.closeAllConnections()
  spy.close()
})

const product = theProduct({ neighbours: true })

interface Answer {
  channels: { channel: { cid: string }; members: { user: { id: string; name: string } }[] }[]
  message: { id: string }
}

/** Calls with the app's secret. */
function asServer({ key, secret, chats }: Stack) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ server: true })}`
  const Authorization = `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
  return async (method: string, path: string, body: object): Promise<Answer> => {
    const answer = await fetch(`${chats[0]!.url}${path}?api_key=${key}`, {
      method,
      headers: { Authorization, 'stream-auth-type': 'jwt', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true)
    return JSON.parse(text)
  }
}

it('[ATT-24] wherever a picture can show, no reader’s browser contacts the sender’s host', {
  timeout: 180_000,
}, async () => {
  const host = `127.0.0.1:${(spy.address() as AddressInfo).port}`
  const at = (path: string) => `http://${host}${path}`
  const visitor = await product.member('ada@northwind.example', '/chat')
  const { page } = visitor
  await page
    .getByRole('link', { name: /Bo Nakamura/ })
    .first()
    .click()
  await visitor.composer.waitFor()
  const server = asServer(product.stack)
  const { channels } = await server('POST', '/channels', {
    filter_conditions: { member_count: 2 },
    state: true,
    limit: 30,
  })
  const found = channels.find(({ members }) =>
    /^(Ada|Bo) .*(Ada|Bo) /.test(members.map(({ user }) => user.name).join(' ')),
  )!
  const { cid } = found.channel
  const bo = found.members.find(({ user }) => user.name.startsWith('Bo'))!.user.id
  const path = `/channels/${cid.replace(':', '/')}`

  // The sender's own picture, and the channel's.
  await server('PATCH', '/users', { users: [{ id: bo, set: { image: at('/face.png') } }] })
  await server('PATCH', path, { set: { image: at('/channel.png') } })
  const says = async (message: object) => {
    const answer = await server('POST', `${path}/message`, { message: { user_id: bo, ...message } })
    return answer.message
  }
  const sent = await says({
    text: 'Pictures of mine',
    attachments: [
      {
        type: 'image',
        image_url: at('/picture.png'),
        thumb_url: at('/thumb.png'),
        original_width: 120,
        original_height: 90,
      },
    ],
  })
  await says({ text: `Read ${at('/page')}` })
  await says({ text: 'A quote', quoted_message_id: sent.id })
  await says({ text: 'A reply', parent_id: sent.id, attachments: [{ type: 'image', image_url: at('/reply.png') }] })
  await says({ text: `![written](${at('/markdown.png')}) <img src="${at('/html.png')}">` })
  await says({
    text: 'An animation',
    attachments: [
      { type: 'giphy', title: 'tea', giphy: { fixed_height: { url: at('/gif.gif'), width: '120', height: '90' } } },
    ],
  })
  await says({
    text: 'A film',
    attachments: [{ type: 'video', asset_url: at('/film.mp4'), thumb_url: at('/poster.png') }],
  })
  await says({ text: 'Sound', attachments: [{ type: 'audio', asset_url: at('/sound.mp3') }] })
  await says({
    text: 'Nobody is there',
    attachments: [{ type: 'image', image_url: at('/dead.png'), fallback: 'dead.png' }],
  })
  await server('PUT', `/messages/${sent.id}`, { set: { pinned: true }, user_id: bo })

  const shows = (part: string) =>
    expect
      .poll(() =>
        page.evaluate(
          (part) =>
            [...document.querySelectorAll('img')].some(
              (img) => img.src.includes('/images/') && img.src.includes(part) && img.complete && img.naturalWidth > 0,
            ),
          encodeURIComponent(part),
        ),
      )
      .toBe(true)
  await visitor.sees('Nobody is there')
  await page.reload()
  await visitor.sees('Nobody is there')
  for (const part of ['/face.png', '/thumb.png', '/gif.gif']) await shows(part)
  await visitor.message('Nobody is there').last().scrollIntoViewIfNeeded()
  // A dead host leaves the file's name, and a way to retry.
  await page.locator('.chat-picture[data-broken]', { hasText: 'dead.png' }).waitFor()

  const pictured = page
    .getByRole('article')
    .filter({ has: page.locator('button.chat-picture'), hasText: 'Pictures of mine' })
  await pictured.first().locator('button.chat-picture').first().click()
  await shows('/picture.png')
  expect(visits.length).toBeGreaterThan(5)
  for (const { url, headers } of visits) {
    expect(headers['user-agent'], url).toMatch(/Parley/)
    expect([headers.cookie, headers.referer], url).toEqual([undefined, undefined])
  }
})
