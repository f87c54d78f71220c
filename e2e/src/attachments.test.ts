import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aGroup } from './kit/a-group.ts'
import { Conversation, eventsKeepUp, until } from './kit/chatter.ts'
import { type Place, type Stack, startStack } from './kit/stack.ts'
import { theProduct } from './kit/the-product.ts'

const page = createServer((_, answer) =>
  answer.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>All about tea</title>'),
)
beforeAll(() => new Promise<void>((listening) => page.listen(0, '127.0.0.1', listening)))
afterAll(() => {
  page.closeAllConnections()
  page.close()
})

for (const place of ['sqlite', 'cluster'] satisfies Place[])
  describe(`on ${place}`, () => {
    let stack: Stack
    beforeAll(async () => {
      stack = await startStack(place, { web: false, neighbours: true })
    })
    afterAll(() => stack?.stop())

    it('[ATT-1] [ATT-16] events keep up with a file, and every member reads it on every node', async () => {
      const conversation = await Conversation.among(stack, ['ada', 'bo'])
      const ada = await conversation.joins('ada')
      const bo = await conversation.joins('bo', { node: 1 })
      const form = new FormData()
      form.set('file', new Blob(['the plan'], { type: 'text/plain' }), 'plan.txt')
      const [type, id] = conversation.cid.split(':')
      const upload = await fetch(
        `${stack.chats[0]!.url}/channels/${type}/${id}/file?api_key=${stack.key}&user_id=ada`,
        {
          method: 'POST',
          headers: { Authorization: conversation.server.createToken('ada') },
          body: form,
        },
      )
      assert.equal(upload.status, 201)
      const { file } = await upload.json()

      await eventsKeepUp(conversation, [ada, bo], () =>
        ada.channel.sendMessage({ text: 'Here', attachments: [{ type: 'file', asset_url: file }] }),
      )

      const [message] = bo.channel.snapshot().messages
      const address = new URL(message!.attachments[0]!.asset_url!)
      for (const { url } of stack.chats) {
        const answer = await fetch(url + address.pathname + address.search)
        assert.equal(await answer.text(), 'the plan')
      }
    })

    it('events keep up with a link preview that arrives after its message', async () => {
      const conversation = await Conversation.among(stack, ['ada', 'bo', 'cy'])
      await conversation.server.request('PATCH', '/app', { body: { async_url_enrich_enabled: true } })
      const ada = await conversation.joins('ada')
      const bo = await conversation.joins('bo', { node: 1 })
      const cy = await conversation.joins('cy', { watch: false })
      const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}/tea`

      await eventsKeepUp(conversation, [ada, bo, cy], async () => {
        await ada.channel.sendMessage({ text: url })
        await until('the preview', () => ada.heard.some((event) => event.type === 'message.updated'))
      })

      const [message] = bo.channel.snapshot().messages
      assert.deepEqual([message!.text, message!.attachments[0]!.title], [url, 'All about tea'])
    })
  })

describe('in the product', () => {
  const product = theProduct()

  it('[ATT-16] a picture is shown on pages that load nothing from other hosts', { timeout: 120_000 }, async () => {
    const id = 'ada-lindqvist'
    const { cid, path } = await aGroup(product.stack, 'A dot', [id, 'bo-nakamura'])
    const ada = await product.member('ada@northwind.example', path)
    await ada.composer.waitFor()
    const { company } = product.stack
    const dot = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
      'base64',
    )
    const picture = new File([dot], 'dot.png', { type: 'image/png' })
    const image_url = await uploads(product.stack, cid, id, company.createToken(id), 'image', picture)
    const message = { text: 'A dot', user_id: id, attachments: [{ type: 'image', image_url, title: 'dot.png' }] }
    await company.request('POST', `/channels/${cid.replace(':', '/')}/message`, { body: { message } })

    const shown = ada.page.getByRole('img', { name: 'dot.png' })
    await shown.scrollIntoViewIfNeeded()
    await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(10)
    ada.isWell()
  })
})

/** Uploads a file as a browser does; returns its URL. */
async function uploads(stack: Stack, cid: string, userId: string, token: string, kind: 'file' | 'image', file: File) {
  const form = new FormData()
  form.set('file', file)
  const url = `${stack.chats[0]!.url}/channels/${cid.replace(':', '/')}/${kind}?api_key=${stack.key}&user_id=${userId}`
  const answer = await fetch(url, { method: 'POST', headers: { Authorization: token }, body: form })
  assert.equal(answer.status, 201)
  return ((await answer.json()) as { file: string }).file
}
