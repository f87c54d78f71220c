import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { aConnectedWorld, type Call, settle } from '../testing/fake-server.ts'
import { aChannel, ada, aMessage, bo, cy, messages, posted } from '../testing/wire.ts'

const SEND = '/channels/messaging/tea/message'

async function adaWrites(options: Parameters<typeof aConnectedWorld>[0] = {}) {
  const world = await aConnectedWorld(options)
  world.server.answers('POST', '/channels/messaging/tea/query', () => aChannel({}, { messages: messages(1, 2) }))
  world.server.answers('POST', SEND, ({ body }: Call) => ({
    message: aMessage(body.message.id, { ...body.message, user: ada, mentioned_users: [] }),
  }))
  const tea = world.client.channel('messaging', 'tea')
  await tea.watch()
  return { ...world, tea, composer: tea.composer }
}

describe('the composer', () => {
  it('sends the text and is empty at once', async () => {
    const { server, composer } = await adaWrites()
    composer.setText('hi')
    const sending = composer.send()
    assert.equal(composer.isEmpty, true)
    assert.equal((await sending)?.status, 'received')
    assert.equal(server.callsTo('POST', SEND)[0]?.body.message.text, 'hi')
  })

  it('sends nothing when the text has only spaces', async () => {
    const { server, composer } = await adaWrites()
    composer.setText('  \n ')
    assert.equal(await composer.send(), undefined)
    assert.equal(server.callsTo('POST', SEND).length, 0)
  })

  it('sends typing.stop before the message', async () => {
    const { server, tea, composer } = await adaWrites()
    await tea.keystroke()
    composer.setText('hi')
    await composer.send()
    const told = server.calls.flatMap(({ path, body }) =>
      path.endsWith('/event') ? [body.event.type] : path === SEND ? ['message'] : [],
    )
    assert.deepEqual(told, ['typing.start', 'typing.stop', 'message'])
  })

  it('mentions the users whose name is still in the text', async () => {
    const { server, composer } = await adaWrites()
    composer.mention(bo)
    composer.mention(bo)
    composer.mention(cy)
    composer.setText('@Bo look')
    await composer.send()
    assert.deepEqual(server.callsTo('POST', SEND)[0]?.body.message.mentioned_users, ['bo'])
  })

  it('[MSG-31] quotes a message', async () => {
    const { server, tea, composer } = await adaWrites()
    composer.quote(tea.state.messages[0])
    composer.setText('this one')
    await composer.send()
    assert.equal(server.callsTo('POST', SEND)[0]?.body.message.quoted_message_id, 'm1')
    assert.equal(composer.snapshot().quoted, undefined)
  })

  it('edits a message, and restores the text that was written before', async () => {
    const { server, tea, composer } = await adaWrites()
    server.answers('PUT', '/messages/m1', {
      message: aMessage('m1', { minute: 1, text: 'm1!', updated_at: '2026-01-05T09:00:00Z' }),
    })
    composer.setText('half a thought')
    composer.edit(tea.state.messages[0]!)
    assert.deepEqual([composer.snapshot().text, composer.snapshot().editing?.id], ['m1', 'm1'])
    composer.setText('m1!')
    await composer.send()
    assert.equal(server.callsTo('PUT', '/messages/m1')[0]?.body.set.text, 'm1!')
    assert.deepEqual([composer.snapshot().text, composer.snapshot().editing], ['half a thought', undefined])
    composer.edit(tea.state.messages[0]!)
    composer.cancelEdit()
    assert.equal(composer.snapshot().text, 'half a thought')
  })

  it('of a thread sends replies, and shows them in the channel if requested', async () => {
    const { server, tea, composer } = await adaWrites()
    const replies = tea.composerIn('m1')
    assert.equal(tea.composerIn('m1'), replies)
    assert.equal(tea.composerIn(undefined), composer)
    replies.setText('indeed')
    replies.setShowInChannel(true)
    await replies.send()
    const { parent_id, show_in_channel } = server.callsTo('POST', SEND)[0]?.body.message ?? {}
    assert.deepEqual([parent_id, show_in_channel], ['m1', true])
  })

  it('has the command at the start of the text, if the user may run it', async () => {
    const { server, tea, composer } = await adaWrites()
    const commands = ['giphy', 'ban'].map((name) => ({ name, description: '', args: '', set: '' }))
    server.answers('POST', '/channels/messaging/tea/query', aChannel({ config: { commands }, own_capabilities: [] }))
    await tea.query()
    const command = (text: string) => {
      composer.setText(text)
      const { command } = composer.snapshot()
      return command && [command.command.name, command.args]
    }
    assert.deepEqual(command('/giphy two cats'), ['giphy', 'two cats'])
    assert.deepEqual(['/giphy', '/ban @Bo', '/what is it', ' /giphy cats'].map(command), Array(4).fill(undefined))
    composer.setText('/giphy cats')
    const before = composer.snapshot()
    composer.setText('/giphy cats')
    assert.equal(composer.snapshot(), before, 'nothing has changed')
    await composer.send()
    assert.equal(server.callsTo('POST', SEND)[0]?.body.message.text, '/giphy cats')
  })

  it('sends the attached poll, which needs no text', async () => {
    const { server, composer } = await adaWrites()
    composer.setPoll('lunch')
    assert.deepEqual([composer.snapshot().pollID, composer.isEmpty], ['lunch', false])
    await composer.send()
    assert.deepEqual([server.callsTo('POST', SEND)[0]?.body.message.poll_id, composer.isEmpty], ['lunch', true])
  })

  it('sends a message with its files only once when send is called twice', async () => {
    const { server, tea, composer } = await adaWrites()
    server.answers(
      'POST',
      '/channels/messaging/tea/query',
      aChannel({ own_capabilities: ['upload-file', 'create-attachment'] }),
    )
    await tea.query()
    server.answers('POST', '/channels/messaging/tea/file', { file: 'https://files.example/a.txt' })
    await composer.attach([new File(['x'], 'a.txt', { type: 'text/plain' })])
    composer.setText('hi')
    const [, again] = await Promise.all([composer.send(), composer.send()])
    assert.equal(again, undefined)
    assert.deepEqual(
      server.callsTo('POST', SEND).map(({ body }) => [body.message.text, body.message.attachments.length]),
      [['hi', 1]],
    )
  })

  it('keeps the text when nothing can be sent any more', async () => {
    const { client, composer } = await adaWrites()
    composer.setText('hi')
    await client.disconnectUser()
    await assert.rejects(composer.send(), { code: 'CLIENT_CHANNEL_DISCONNECTED' })
    assert.equal(composer.snapshot().text, 'hi')
  })

  it('notifies its listeners, and keeps its snapshot until something changes', async () => {
    const { composer } = await adaWrites()
    let changes = 0
    const unsubscribe = composer.subscribe(() => changes++)
    const before = composer.snapshot()
    assert.equal(composer.snapshot(), before)
    composer.setText('h')
    assert.notEqual(composer.snapshot(), before)
    unsubscribe()
    composer.setText('hi')
    assert.equal(changes, 1)
  })
})

describe('a draft', () => {
  it('written to a list of members moves to the channel that the server names for them', async () => {
    const storage = new Map<string, unknown>()
    const { client, server } = await aConnectedWorld({ storage })
    server.answers('POST', '/channels/messaging/query', aChannel({ id: '!members-77' }))
    const pair = client.channel('messaging', { members: ['bo', 'ada'] })
    pair.composer.setText('Dear Bo')
    pair.composer.saveDraft()
    await settle()
    await pair.watch()
    pair.composer.restoreDraft()
    const later = await aConnectedWorld({ storage })
    const named = later.client.channel('messaging', '!members-77')
    named.composer.restoreDraft()
    await settle()
    assert.equal(named.composer.snapshot().text, 'Dear Bo')
    named.composer.clear()
    await settle()
    assert.deepEqual([...storage.keys()], [])
  })

  it('is stored on leaving and restored, with mentions and quote', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaWrites({ storage })
    first.composer.setText('@Bo wait')
    first.composer.mention(bo)
    first.composer.quote(first.tea.state.messages[1])
    first.composer.saveDraft()
    const second = await adaWrites({ storage })
    second.composer.restoreDraft()
    const { text, mentioned, quoted } = second.composer.snapshot()
    assert.deepEqual([text, mentioned, quoted?.id], ['@Bo wait', [bo], 'm2'])
  })

  it('restores the caret with its text, also when only the caret has moved, and not in another text', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaWrites({ storage })
    first.composer.setText('I was here')
    first.composer.context.caret = { from: 5, to: 5 }
    first.composer.saveDraft()
    first.composer.context.caret = { from: 2, to: 5 }
    first.composer.edit(first.tea.state.messages[1]!)
    first.composer.setText('Changed')
    first.composer.saveDraft()
    const second = await adaWrites({ storage })
    second.composer.restoreDraft()
    assert.equal(second.composer.snapshot().text, 'I was here')
    assert.deepEqual(second.composer.context.caret, { from: 2, to: 5 })
    second.composer.setText('Somebody else put this here')
    assert.equal(second.composer.context.caret, undefined)
    second.composer.clear()
    assert.equal(second.composer.context.caret, undefined)
  })

  it('belongs to its author, also if they sign out before it is stored', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaWrites({ storage })
    first.composer.restoreDraft()
    first.composer.setText('I was about to s')
    first.client.disconnectUser()
    first.composer.saveDraft()
    const second = await adaWrites({ storage })
    second.composer.restoreDraft()
    assert.equal(second.composer.snapshot().text, 'I was about to s')
  })

  it('does not overwrite text typed meanwhile, and is deleted once it is sent or emptied', async () => {
    const { composer } = await adaWrites()
    composer.setText('old')
    composer.saveDraft()
    composer.setText('new')
    composer.restoreDraft()
    assert.equal(composer.snapshot().text, 'new')
    await composer.send()
    composer.restoreDraft()
    assert.equal(composer.snapshot().text, '')
    composer.setText('again')
    composer.saveDraft()
    composer.setText('')
    composer.saveDraft()
    composer.restoreDraft()
    assert.equal(composer.snapshot().text, '')
  })

  it('is deleted when it was sent from another device', async () => {
    const { server, composer } = await adaWrites()
    composer.setText('hi')
    composer.saveDraft()
    composer.setText('')
    server.socket.says(posted(aMessage('elsewhere', { user: ada, minute: 5 })))
    composer.restoreDraft()
    assert.equal(composer.snapshot().text, '')
    composer.setText('mine')
    composer.saveDraft()
    composer.setText('')
    server.socket.says(posted(aMessage('reply', { user: ada, minute: 6, parent_id: 'm1' })))
    composer.restoreDraft()
    assert.equal(composer.snapshot().text, 'mine', 'a reply is not what the channel’s draft became')
  })

  it('stays when an event repeats a message that was sent from here earlier', async () => {
    const { server, composer } = await adaWrites()
    for (const text of ['one', 'two']) {
      composer.setText(text)
      await composer.send()
    }
    const [{ id }] = server.callsTo('POST', SEND).map(({ body }) => body.message)
    composer.setText('three')
    composer.saveDraft()
    composer.setText('')
    server.socket.says(posted(aMessage(id, { user: ada, minute: 5, text: 'one' })))
    composer.restoreDraft()
    assert.equal(composer.snapshot().text, 'three')
  })

  it('keeps its files in their chosen order, and sends them as they were uploaded', async () => {
    const storage = new Map<string, unknown>()
    const file = (name: string) => new File(['x'], name, { type: 'text/plain' })
    const may = aChannel({ own_capabilities: ['upload-file', 'create-attachment'] })
    const first = await adaWrites({ storage })
    first.server.answers('POST', '/channels/messaging/tea/query', may)
    await first.tea.query()
    for (const name of ['a.txt', 'b.txt']) {
      first.server.answers('POST', '/channels/messaging/tea/file', { file: `https://files.example/${name}` })
      await first.composer.attach([file(name)])
    }
    const [, b] = first.composer.snapshot().uploads
    first.composer.moveUpload(b!.id, 0)
    first.composer.setPoll('lunch')
    first.composer.saveDraft()
    const second = await adaWrites({ storage })
    second.composer.restoreDraft()
    // Left again before the files are restored.
    second.composer.saveDraft()
    await settle()
    const { uploads, pollID } = second.composer.snapshot()
    assert.deepEqual(
      uploads.map(({ file, status }) => [file.name, status]),
      [
        ['b.txt', 'finished'],
        ['a.txt', 'finished'],
      ],
    )
    assert.equal(pollID, 'lunch')
    second.composer.remove(uploads[1]!.id)
    await second.composer.send()
    const { attachments } = second.server.callsTo('POST', SEND)[0]?.body.message ?? {}
    assert.deepEqual(
      attachments.map(({ asset_url }: { asset_url: string }) => asset_url),
      ['https://files.example/b.txt'],
    )
  })

  it('restores its files with the next file if the upload code could not be loaded at first', async () => {
    const photo = { type: 'image', fallback: 'harbour.png', image_url: 'https://files.example/harbour.png' }
    const storage = new Map([['draft:ada:messaging:tea', { text: 'Look', mentioned: [], attachments: [photo] }]])
    const logged: unknown[] = []
    const { server, tea, composer } = await adaWrites({ storage, logger: (...given) => logged.push(given[2]) })
    server.answers(
      'POST',
      '/channels/messaging/tea/query',
      aChannel({ own_capabilities: ['upload-file', 'create-attachment'] }),
    )
    await tea.query()
    const { withUploads } = composer.context
    composer.context.withUploads = () => Promise.reject(new TypeError('Failed to fetch'))
    composer.restoreDraft()
    await settle()
    assert.deepEqual(logged.map(String), ['TypeError: Failed to fetch'])
    composer.context.withUploads = withUploads
    server.answers('POST', '/channels/messaging/tea/file', { file: 'https://files.example/a.txt' })
    await composer.attach([new File(['x'], 'a.txt', { type: 'text/plain' })])
    assert.deepEqual(
      composer.snapshot().uploads.map(({ file }) => file.name),
      ['harbour.png', 'a.txt'],
    )
    await composer.send()
    const { attachments } = server.callsTo('POST', SEND)[0]?.body.message ?? {}
    assert.deepEqual(
      attachments.map(({ image_url, asset_url }: Record<string, string>) => image_url ?? asset_url),
      ['https://files.example/harbour.png', 'https://files.example/a.txt'],
    )
  })

  it('keeps a file that finished while its author edited another message', async () => {
    const storage = new Map<string, unknown>()
    const { server, tea, composer } = await adaWrites({ storage })
    server.answers(
      'POST',
      '/channels/messaging/tea/query',
      aChannel({ own_capabilities: ['upload-file', 'create-attachment'] }),
    )
    const [said] = tea.state.messages
    await tea.query()
    composer.setText('Look')
    composer.edit(said!)
    server.answers('POST', '/channels/messaging/tea/file', { file: 'https://files.example/a.txt' })
    await composer.attach([new File(['x'], 'a.txt', { type: 'text/plain' })])
    composer.saveDraft()
    const second = await adaWrites({ storage })
    second.composer.restoreDraft()
    await settle()
    const { text, uploads } = second.composer.snapshot()
    assert.deepEqual([text, uploads.map(({ file }) => file.name)], ['Look', ['a.txt']])
  })

  it('that cannot be stored is logged, and harms nothing else', async () => {
    const full = () => {
      throw new Error('The storage is full.')
    }
    const storage = { get: () => undefined, set: full, delete: full, keys: () => [] }
    const logged: unknown[] = []
    const { composer } = await adaWrites({ storage, logger: (...given) => logged.push(given[2]) })
    composer.setText('half a sen')
    composer.saveDraft()
    composer.clear()
    await settle()
    assert.deepEqual(logged.map(String), ['Error: The storage is full.', 'Error: The storage is full.'])
  })

  it('that cannot be read is ignored', async () => {
    const { composer } = await adaWrites({ storage: new Map([['draft:ada:messaging:tea', { text: 1 }]]) })
    composer.restoreDraft()
    assert.equal(composer.snapshot().text, '')
  })
})
