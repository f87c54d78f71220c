import type { Message } from '@parley/protocol/messages'
import type { Kysely } from 'kysely'
import { pollsShown } from '../../features/polls/polls-shown.ts'
import type { MessageRow, Place, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { type DeletedForMe, deletedAmong } from './deleted-for-me-store.ts'
import { shownSince } from './message-access.ts'
import { showsQuote } from './message-recipients.ts'
import { messagesByIds } from './message-store.ts'
import { messageWire, pollsIn, usersIn } from './message-wire.ts'

/** How a viewer reads messages. */
export interface Eyes {
  /** What the viewer deleted for themselves, if it is known already. */
  deletedForMe?: DeletedForMe
  /** Shows the content of soft-deleted messages. */
  showDeleted?: boolean
  /** For the app's server, which learns of its author's messages, too, that they are shadowed [MSG-38]. */
  showShadowed?: boolean
  /** Shows quoted messages from before a channel was truncated. */
  showTruncated?: boolean
  /** The messages go into an event for the viewer, so their reactions, votes, drafts and reminders are left out. */
  asEvent?: boolean
}

/**
 * Messages as one viewer reads them, with authors, reactions, polls, quoted messages and the viewer's drafts and
 * reminders. At most fourteen queries, however many messages there are.
 *
 * @param viewerId whose `own_reactions` and `own_votes` are filled in; undefined for an event, where they stay empty
 * @param db the transaction, when the rows were written in it
 */
export async function composeMessages(
  server: Server,
  app: string,
  rows: readonly MessageRow[],
  viewerId: string | undefined,
  db: Kysely<Tables> = server.database.read,
  { deletedForMe, showDeleted = false, showShadowed = false, showTruncated = false, asEvent = false }: Eyes = {},
): Promise<Message[]> {
  const { dialect } = server.database
  const quotedIds = rows.flatMap((row) => row.quoted_message_id ?? [])
  const quoted = new Map((await messagesByIds(db, dialect, app, quotedIds)).map((row) => [row.id, row]))
  const self = asEvent ? undefined : viewerId
  const { messages: extensions } = server.extensions
  const fields = await Promise.all(extensions.flatMap((each) => each.fields?.(server, app, rows, self, db) ?? []))
  const polls = await pollsShown(server, app, pollsIn([...rows, ...quoted.values()]), self, db)
  const since = await quotedSince(server, app, quoted.values(), viewerId)
  const userSummaries = await userSummariesOf(server, app, [
    ...[...rows, ...quoted.values()].flatMap(usersIn),
    ...fields.flatMap(({ userIds }) => userIds),
  ])

  const members = new Map((await server.channels.membersAt(app, rows)).map((row) => [placeOf(row), row]))

  // Only reads include what is the viewer's alone; the answer of a write leaves it out.
  const looker = db === server.database.read ? self : undefined
  const ids = [...new Set([...rows.map(({ id }) => id), ...quotedIds])]
  const gone =
    deletedForMe ??
    (looker === undefined
      ? undefined
      : new Map((await deletedAmong(db, dialect, app, looker, ids)).map(({ message_id, at }) => [message_id, at])))
  const added =
    looker === undefined
      ? []
      : await Promise.all(extensions.flatMap(({ own }) => own?.(server, app, looker, rows) ?? []))
  const now = server.clock.micros()
  return rows.map((row) => {
    const message = messageWire(row, {
      userSummaries,
      now,
      member: members.get(placeOf(row)),
      viewerId,
      quoted: quotedIn(row, quoted, viewerId, showTruncated ? undefined : since),
      polls,
      gone,
      showDeleted,
      showShadowed,
    })
    for (const { of } of fields) Object.assign(message, of(row, userSummaries))
    for (const fields of added) if (fields.has(row.id)) Object.assign(message, fields.get(row.id))
    return message
  })
}

function placeOf({ cid, user_id }: Place): string {
  return `${cid}|${user_id}`
}

/** Since when the viewer may see quoted messages, by cid; in an event for many, since when any of them may. */
async function quotedSince(
  server: Server,
  app: string,
  quoted: Iterable<MessageRow>,
  viewerId: string | undefined,
): Promise<(cid: string) => Micros> {
  const cids = [...new Set([...quoted].map(({ cid }) => cid))]
  if (cids.length === 0) return () => 0
  const channels = await server.channels.getAll(app, cids)
  const places = viewerId === undefined ? [] : cids.map((cid) => ({ cid, user_id: viewerId }))
  const members = new Map((await server.channels.membersAt(app, places)).map((member) => [member.cid, member]))
  return (cid) => shownSince(channels.get(cid)!, members.get(cid))
}

function quotedIn(
  row: MessageRow,
  rows: ReadonlyMap<string, MessageRow>,
  viewerId: string | undefined,
  since: ((cid: string) => Micros) | undefined,
) {
  const quoted = row.quoted_message_id === null ? undefined : rows.get(row.quoted_message_id)
  if (!quoted || !showsQuote(row, quoted, viewerId)) return undefined
  return since && quoted.created_at < since(quoted.cid) ? undefined : quoted
}
