/** Messages are made for somebody in few places, each of which says who that is; a new one has to be thought about. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'

const source = join(import.meta.dirname, '..')

/** Who is shown what is made there, and why they may see it. */
const places: Record<string, string> = {
  'commands/run-action.ts': 'the author, of an own message',
  'drafts/whole-drafts.ts': 'the owner, of what is within their sight',
  'exports/export-channels.ts': 'the app’s server',
  'webhooks/before-message-send.ts': 'the app’s server',
  'messages/compose-messages.ts': 'itself',
  'messages/delete-for-me.ts': 'who deleted it',
  'messages/delete-message.ts': 'who deleted it, and those who see it now',
  'messages/edit-message.ts': 'who edited it, and those who see it now',
  'messages/message-endpoints.ts': 'the caller, of what `accessMessage` or the horizon lets them have',
  'messages/message-wire.ts': 'itself',
  'messages/messages-now.ts': 'a reader, of what is within their sight',
  'messages/messages-of-channels.ts': 'a reader, of what the horizon shows',
  'messages/messages-of-threads.ts': 'a reader, of threads whose parent they see',
  'messages/messages-of-user.ts': 'the app’s server',
  'messages/messages-shown.ts': 'moderators',
  'messages/pending-messages.ts': 'the author, and the app’s server',
  'messages/pinned-messages.ts': 'the caller, of what the horizon shows',
  'messages/post-message.ts': 'the author, and those who see it',
  'messages/shadow-message.ts': 'those who saw it before, as a tombstone',
  'messages/publish-updated.ts': 'those who see it now',
  'messages/translate-message.ts': 'the caller, of what `accessMessage` lets them have',
  'messages/undelete-message.ts': 'who brought it back, and those who see it now',
  'messages/unpublished-error.ts': 'the author alone',
  'moderation/flag-report.ts': 'moderators',
  'moderation/flag-wires.ts': 'moderators',
  'moderation/publish-flag-events.ts': 'the app’s server',
  'push/check-push.ts': 'the app’s server',
  'reactions/drop-reactions.ts': 'those who see it now',
  'reactions/react.ts': 'who reacted, and those who see it now',
  'reads/unread-reminders.ts': 'the app’s server',
  'reminders/whole-reminders.ts': 'the owner, of what is within their sight',
  'review/item-wires.ts': 'moderators',
  'review/moderator-actions.ts': 'moderators',
  'search/search-messages.ts': 'the caller, of what they may read',
}

describe('a message', () => {
  it('[MSG-42] is made for somebody in known places alone', () => {
    const files = globSync('**/*.ts', { cwd: source }).filter((file) => !/\.test\.ts$|^testing\//.test(file))
    const making = files.filter((file) =>
      /\b(composeMessages|messageWire|messagesShown)\(/.test(readFileSync(join(source, file), 'utf8')),
    )
    assert.deepEqual(making.toSorted(), Object.keys(places).toSorted())
  })

  it('[MSG-42] of which the log tells is made anew', () => {
    const files = globSync('**/*.ts', { cwd: source }).filter((file) => !/\.test\.ts$/.test(file))
    const reading = files.filter((file) =>
      /\b(eventsSince|eventsAfter)\(/.test(readFileSync(join(source, file), 'utf8')),
    )
    // Nodes read what they missed, and hand it on as they would have at once.
    assert.deepEqual(reading.toSorted(), [
      'realtime/hub.ts',
      'sync/event-store.ts',
      'sync/missed-events.ts',
      'sync/sync-endpoints.ts',
    ])
  })
})
