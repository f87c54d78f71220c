/** The code composes messages for a viewer in few places, all listed here; a new place needs a review. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'

const source = join(import.meta.dirname, '../..')

/** By file, the viewers of the messages composed there, and why they may see them. */
const places: Record<string, string> = {
  'features/commands/run-action.ts': 'the author, of an own message',
  'features/drafts/whole-drafts.ts': 'the owner, of what is within their sight',
  'administration/exports/export-channels.ts': 'the app’s server',
  'features/webhooks/before-message-send.ts': 'the app’s server',
  'chat/messages/compose-messages.ts': 'itself',
  'chat/messages/delete-for-me.ts': 'who deleted it',
  'chat/messages/delete-message.ts': 'who deleted it, and those who see it now',
  'chat/messages/edit-message.ts': 'who edited it, and those who see it now',
  'chat/messages/message-endpoints.ts': 'the caller, of what `accessMessage` or the horizon lets them have',
  'chat/messages/message-wire.ts': 'itself',
  'chat/messages/messages-now.ts': 'a reader, of what is within their sight',
  'chat/messages/messages-of-channels.ts': 'a reader, of what the horizon shows',
  'chat/messages/messages-of-threads.ts': 'a reader, of threads whose parent they see',
  'chat/messages/messages-of-user.ts': 'the app’s server',
  'chat/messages/messages-shown.ts': 'moderators',
  'chat/messages/pending-messages.ts': 'the author, and the app’s server',
  'chat/messages/pinned-messages.ts': 'the caller, of what the horizon shows',
  'chat/messages/post-message.ts': 'the author, and those who see it',
  'chat/messages/shadow-message.ts': 'those who saw it before, as a tombstone',
  'chat/messages/publish-updated.ts': 'those who see it now',
  'chat/messages/translate-message.ts': 'the caller, of what `accessMessage` lets them have',
  'chat/messages/undelete-message.ts': 'who brought it back, and those who see it now',
  'chat/messages/unpublished-error.ts': 'the author alone',
  'administration/moderation/flag-report.ts': 'moderators',
  'administration/moderation/flag-wires.ts': 'moderators',
  'administration/moderation/publish-flag-events.ts': 'the app’s server',
  'features/push/check-push.ts': 'the app’s server',
  'features/reactions/drop-reactions.ts': 'those who see it now',
  'features/reactions/react.ts': 'who reacted, and those who see it now',
  'chat/reads/unread-reminders.ts': 'the app’s server',
  'features/reminders/whole-reminders.ts': 'the owner, of what is within their sight',
  'administration/review/item-wires.ts': 'moderators',
  'administration/review/moderator-actions.ts': 'moderators',
  'features/search/search-messages.ts': 'the caller, of what they may read',
}

describe('a message', () => {
  it('[MSG-42] is composed for a viewer only in known places', () => {
    const files = globSync('**/*.ts', { cwd: source }).filter((file) => !/\.test\.ts$|^testing\//.test(file))
    const making = files.filter((file) =>
      /\b(composeMessages|messageWire|messagesShown)\(/.test(readFileSync(join(source, file), 'utf8')),
    )
    assert.deepEqual(making.toSorted(), Object.keys(places).toSorted())
  })

  it('[MSG-42] from the event log is composed again', () => {
    const files = globSync('**/*.ts', { cwd: source }).filter((file) => !/\.test\.ts$/.test(file))
    const reading = files.filter((file) =>
      /\b(eventsSince|eventsAfter)\(/.test(readFileSync(join(source, file), 'utf8')),
    )
    // A node reads the events it missed and delivers them as it would have at once.
    assert.deepEqual(reading.toSorted(), [
      'features/sync/event-store.ts',
      'features/sync/missed-events.ts',
      'features/sync/sync-endpoints.ts',
      'platform/realtime/hub.ts',
    ])
  })
})
