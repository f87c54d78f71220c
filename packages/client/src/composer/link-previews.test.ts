import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { calls } from '../on-demand.ts'
import { aConnectedWorld, type Call, Refusal, settle } from '../testing/fake-server.ts'
import { aChannel, ada, aMessage } from '../testing/wire.ts'
import { LinkPreviews } from './link-previews.ts'

const SEND = '/channels/messaging/tea/message'
const HARBOUR = 'https://example.com/harbour'
const harbour = { type: 'article', title: 'The harbour', og_scrape_url: HARBOUR }
const allowed = { own_capabilities: ['send-message', 'send-links'], config: { url_enrichment: true } }

async function adaWrites(fields: object = allowed) {
  await calls.fetch()
  const world = await aConnectedWorld()
  world.server.answers('POST', '/channels/messaging/tea/query', aChannel({ ...fields }))
  world.server.answers('GET', '/og', harbour)
  world.server.answers('POST', SEND, ({ body }: Call) => ({
    message: aMessage(body.message.id, { ...body.message, user: ada, mentioned_users: [] }),
  }))
  const tea = world.client.channel('messaging', 'tea')
  await tea.watch()
  const links = new LinkPreviews(tea.composer)
  const rests = async (ms: number) => {
    world.clock.advance(ms)
    await settle()
  }
  const status = () => tea.composer.snapshot().linkPreview?.status
  const sent = async () => {
    await tea.composer.send()
    const { message, skip_enrich_url } = world.server.callsTo('POST', SEND).at(-1)!.body
    return { attachments: message.attachments, skip_enrich_url }
  }
  return { ...world, composer: tea.composer, links, rests, status, sent }
}

describe('the link in a composer', () => {
  it('[ATT-5] is previewed when typing pauses, and its preview is sent with the message', async () => {
    const { server, composer, rests, status, sent } = await adaWrites()
    composer.setText('See https://example.com/h')
    await rests(399)
    composer.setText(`See ${HARBOUR}.`)
    await rests(399)
    assert.deepEqual([status(), server.callsTo('GET', '/og').length], ['waiting', 0])
    await rests(1)
    assert.equal(status(), 'loaded')
    composer.setText(`See ${HARBOUR}. And then`)
    await rests(1_000)
    assert.deepEqual(
      server.callsTo('GET', '/og').map(({ query }) => query.url),
      [HARBOUR],
    )
    assert.deepEqual(await sent(), { attachments: [harbour], skip_enrich_url: true })
    assert.equal(status(), undefined)
  })

  it('is left to the server when the message is sent before the preview has arrived', async () => {
    const { server, composer, rests, sent } = await adaWrites()
    composer.setText(HARBOUR)
    assert.deepEqual(await sent(), { attachments: undefined, skip_enrich_url: undefined })
    await rests(400)
    assert.equal(server.callsTo('GET', '/og').length, 0)
  })

  it('stays dismissed, also if it was dismissed before the preview arrived', async () => {
    const { server, composer, links, rests, status, sent } = await adaWrites()
    composer.setText(HARBOUR)
    links.dismiss()
    await rests(400)
    assert.deepEqual([status(), server.callsTo('GET', '/og').length], ['dismissed', 0])
    composer.setText('')
    const held = server.holds('GET', '/og')
    composer.setText(HARBOUR)
    await rests(400)
    assert.equal(status(), 'loading')
    links.dismiss()
    await held.break()
    assert.equal(status(), 'dismissed')
    assert.deepEqual(await sent(), { attachments: undefined, skip_enrich_url: true })
  })

  it('is sent without its preview once that is dismissed, in this message only', async () => {
    const { composer, links, rests, status, sent } = await adaWrites()
    composer.setText(HARBOUR)
    await rests(400)
    links.dismiss()
    composer.setText('Nothing')
    composer.setText(`${HARBOUR} again`)
    assert.equal(status(), 'dismissed')
    assert.deepEqual(await sent(), { attachments: undefined, skip_enrich_url: true })
    composer.setText(HARBOUR)
    assert.equal(status(), 'waiting')
  })

  it('without a preview is queried once', async () => {
    const { server, composer, rests, status } = await adaWrites()
    server.answers('GET', '/og', new Refusal(4, 400, 'nothing there'))
    composer.setText(HARBOUR)
    await rests(400)
    assert.equal(status(), 'failed')
    composer.setText('')
    composer.setText('x')
    composer.setText(`x ${HARBOUR}`)
    await rests(400)
    composer.setText(`${HARBOUR} x`)
    await rests(400)
    assert.deepEqual([status(), server.callsTo('GET', '/og').length], ['failed', 2])
  })

  it('of an edited message is ignored', async () => {
    const { server, composer, rests } = await adaWrites()
    composer.setText(HARBOUR)
    composer.edit({ ...aMessage('m1'), text: 'https://example.com/other' } as never)
    await rests(400)
    assert.equal(composer.snapshot().linkPreview, undefined)
    composer.cancelEdit()
    assert.equal(composer.snapshot().linkPreview?.status, 'loaded')
    assert.equal(server.callsTo('GET', '/og').length, 1)
  })

  it('is not queried where the user may not send links', async () => {
    const { server, composer, rests, status } = await adaWrites({ ...allowed, own_capabilities: ['send-message'] })
    composer.setText(HARBOUR)
    await rests(400)
    assert.deepEqual([status(), server.callsTo('GET', '/og').length], [undefined, 0])
  })
})
