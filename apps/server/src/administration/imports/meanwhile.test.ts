import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onTwoNodes } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { waitsOrIsOver } from '../../testing/waits.ts'
import { imports, type Line } from './testing/importing.ts'

onTwoNodes((fixture) => {
  it('[IMP-5] a reply sent while the threads of an import are settled is counted', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const { dialect } = fixture.nodes[0]!.server.database
    const place = { channel_type: 'messaging', channel_id: 'tea' }
    const at = (minute: number) => new Date(Date.UTC(2020, 0, 1, 8, minute)).toISOString()
    const history: Line[] = [
      ['channel', { type: 'messaging', id: 'tea', created_by: 'ada', created_at: at(0) }],
      ['member', { ...place, user_id: 'ada', created_at: at(0) }],
      ['member', { ...place, user_id: 'bo', created_at: at(0) }],
      ['message', { ...place, id: 'asked', type: 'regular', user: 'ada', text: 'Tea?', created_at: at(1) }],
      [
        'message',
        { ...place, id: 'said', type: 'reply', parent_id: 'asked', user: 'bo', text: 'Yes', created_at: at(2) },
      ],
    ]
    let replies: Promise<unknown>[] = []
    // One reply goes through another node than the import.
    const reply = async () => {
      replies = [ada, bo].map((who) => who.sends('messaging:tea', 'Me too', { parent_id: 'asked' }))
      await waitsOrIsOver(fixture.nodes[0]!.server, Promise.race(replies))
    }
    const counts = (columns: readonly string[]) => columns.includes('deleted_reply_count')
    justBefore(dialect, 'updateRows', reply, (_db, _table, _keys, columns) => counts(columns))

    await imports(appServer, history)
    await Promise.all(replies)
    const { messages } = await ada.does('GET', '/messages/asked/replies')
    const { message } = await ada.does('GET', '/messages/asked')
    assert.deepEqual([messages.length, message.reply_count], [3, 3])
  })
})
