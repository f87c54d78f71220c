import { FLAGS_PAGE } from '@parley/protocol/limits'
import type { Flag, FlagRequest, QueryMessageFlagsPayload } from '@parley/protocol/moderation'
import { MESSAGE_ENTITY, USER_ENTITY } from '@parley/protocol/review'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Caller } from '../../chat/api/caller.ts'
import { readerOf } from '../../chat/api/reader.ts'
import { cidsIn } from '../../chat/bans/query-banned.ts'
import { accessChannels } from '../../chat/channels/channel-access.ts'
import { accessMessage, missing } from '../../chat/messages/message-access.ts'
import { storedMessage } from '../../chat/messages/reaction-groups.ts'
import { demandInApp } from '../../chat/permissions/demand-in-app.ts'
import { lockUsers } from '../../chat/users/lock-user.ts'
import { acquaintances } from '../../chat/users/user-access.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { Batch } from '../../platform/database/batch.ts'
import { compileFilter, compileSort, type Entity, operators } from '../../platform/database/filter-compiler.ts'
import type { FlagRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { messageEntity, type Reportable, userEntity } from '../review/entities.ts'
import { holdItem, itemIdOf, lowerItem, userReport } from '../review/raise-item.ts'
import { isReviewed, teamOf } from './flag-report.ts'
import { countFlags, deleteFlag, findFlags, flagKey, flagsOf, lowerReport, updateFlag } from './flag-store.ts'
import { flagWires } from './flag-wires.ts'
import { newFlag, raiseFlags } from './raise-flags.ts'

/**
 * Reports a message or a user to the moderators; it hides nothing [MOD-8].
 *
 * @throws ChatError InputError (4) — not exactly one target, or flagged by this user already
 * @throws ChatError DoesNotExistError (16), NotAllowedError (17)
 */
export async function flag(
  server: Server,
  caller: Caller,
  user: UserRow,
  request: Static<typeof FlagRequest>,
): Promise<Flag> {
  const entity = await targetOf(server, caller, request)
  const { row } = await server.commit.write(caller.app.id, placesOf(entity), (batch) =>
    flagBy(server, batch, user, entity, request, { twice: 'refused' }),
  )
  return (await flagWires(server, [row]))[0]!
}

/** The channels to lock while a subject is reported, so that it cannot change meanwhile. */
export function placesOf({ cid }: Reportable): string[] {
  return cid === null ? [] : [cid]
}

/**
 * Stores a user's flag of a subject, and puts the subject into the review queue.
 *
 * @param found the subject as it was when access was checked
 * @param twice whether a user who flagged it before may change the reason
 * @throws ChatError InputError (4) — flagged by this user already, or for a reason that is not allowed here
 * @throws ChatError DoesNotExistError (16) — the subject, its author, or the user was erased meanwhile
 */
export async function flagBy(
  server: Server,
  batch: Batch,
  user: UserRow,
  found: Reportable,
  { reason, custom }: { reason?: string | undefined; custom?: Record<string, unknown> | undefined },
  { twice }: { twice: 'refused' | 'updated' },
): Promise<{ row: FlagRow; itemId: string }> {
  const entity = await stillReportable(server, batch, user, found)
  const { app, subject } = entity
  await checkReason(server, entity, reason)
  const [known] = await flagsOf(batch.db, app, subject, user.id)
  const item = known && (await itemIdOf(batch.db, app, subject))
  if (known && twice === 'refused') throw new ChatError('InputError', 'flag already exists')
  const at = batch.now()
  const data = customOf(custom ?? {}, new Set())
  const made = newFlag(entity, { user_id: user.id, type: 'user_report', reason, data }, at)
  if (known && item !== undefined) {
    const row = { ...known, reason: made.reason, data: made.data, updated_at: at }
    await updateFlag(batch.db, row)
    return { row, itemId: item }
  }
  // A flag from before the review queue existed was counted then.
  if (known) {
    await deleteFlag(batch.db, known)
    if (known.message_id !== null) await lowerReport(batch.db, app, known.message_id)
  }
  return { row: made, itemId: (await raiseFlags(server, batch, entity, [made], userReport)).id }
}

/** @throws ChatError DoesNotExistError (16) — the job that erased it has deleted its flags and does not run again */
async function stillReportable(server: Server, batch: Batch, user: UserRow, found: Reportable): Promise<Reportable> {
  const { app, type, id, creatorId } = found
  const isOwn = type !== MESSAGE_ENTITY && type !== USER_ENTITY
  await lockUsers(batch, app, isOwn || creatorId === null ? [user.id] : [user.id, creatorId])
  if (type !== MESSAGE_ENTITY) return found
  const channel = batch.channel(app, found.cid!)
  const message = channel?.deleted_at === null ? await storedMessage(batch.db, app, id) : undefined
  if (!message || message.created_at < (channel?.truncated_at ?? 0)) throw missing(id)
  return messageEntity(server, message)
}

/**
 * Where an app or channel type lists the allowed reasons, a given reason must be one of them; a reason is optional
 * [administration.md 1.2, 2.2].
 *
 * @throws ChatError InputError (4)
 */
async function checkReason(server: Server, { app, cid }: Reportable, reason: string | undefined) {
  if (reason === undefined) return
  const known = server.apps.of(app)
  const channel = cid === null ? undefined : await server.channels.get(app, cid)
  const ofType = channel && known.configOf(channel).allowed_flag_reasons
  const allowed = ofType ?? known.settings.allowed_flag_reasons
  if (allowed.length > 0 && !allowed.includes(reason))
    throw inputError('reason', `reason must be one of ${allowed.join(', ')}`)
}

/** @throws ChatError DoesNotExistError (16) — this user has not flagged it [MOD-9] */
export async function unflag(
  server: Server,
  caller: Caller,
  user: UserRow,
  request: Static<typeof FlagRequest>,
): Promise<Flag> {
  const { subject } = await targetOf(server, caller, request)
  const row = await server.commit.write(caller.app.id, [], async (batch) => {
    const [known] = await flagsOf(batch.db, caller.app.id, subject, user.id)
    if (!known) throw new ChatError('DoesNotExistError', `Can't find a flag of ${user.id} there`)
    const item = await holdItem(batch, known.app, subject)
    await deleteFlag(batch.db, known)
    if (known.message_id !== null) await lowerReport(batch.db, known.app, known.message_id)
    if (item) await lowerItem(batch, item, await countFlags(batch.db, known.app, subject))
    return known
  })
  return (await flagWires(server, [row]))[0]!
}

/**
 * Flags of messages, newest first; those of deleted messages on request [MOD-11].
 *
 * @throws ChatError InputError (4) — a client must name a channel; NotAllowedError (17) — it may not read flags there
 */
export async function queryMessageFlags(
  server: Server,
  caller: Caller,
  payload: Static<typeof QueryMessageFlagsPayload>,
): Promise<Flag[]> {
  const reader = readerOf(server, caller)
  const { dialect } = reader
  const filter = payload.filter_conditions ?? {}
  if (!caller.server) await accessChannels(server, caller, cidsIn(filter), 'read-message-flags')
  const sort = payload.sort?.length ? payload.sort : [{ field: 'created_at', direction: -1 as const }]
  const { limit = FLAGS_PAGE, offset = 0 } = payload
  const matches = compileFilter(flagEntity, dialect, filter)
  const ofMessages = sql<boolean>`f.message_id is not null and ${matches}`
  const where = payload.show_deleted_messages ? ofMessages : sql<boolean>`${ofMessages} and ${isThere}`
  const page = sql`order by ${compileSort(flagEntity, dialect, sort)} limit ${limit} offset ${offset}`
  const rows = await findFlags(reader.for(false), caller.app.id, { where, keys: sql``, page })
  return flagWires(server, rows)
}

/** Whether the flagged message still exists. */
const isThere = sql<boolean>`exists (select 1 from messages g where g.app = f.app and g.id = f.message_id
  and g.deleted_at is null)`

/** The filter and sort fields of flags [administration.md 6.9]. */
const flagEntity: Entity = {
  filterName: 'filter_conditions',
  custom: undefined,
  tieBreak: flagKey,
  fields: {
    channel_cid: { kind: 'text', sql: sql.ref('f.cid'), operators: operators.equality },
    user_id: { kind: 'text', sql: sql.ref('f.target_id'), operators: operators.equality },
    reason: { kind: 'text', sql: sql.ref('f.reason'), operators: operators.equality },
    team: { kind: 'text', sql: teamOf('f'), operators: operators.equality },
    is_reviewed: { kind: 'flag', sql: isReviewed('f'), operators: operators.flag },
    created_at: { kind: 'time', sql: sql.ref('f.created_at'), operators: operators.comparisons },
  },
}

async function targetOf(
  server: Server,
  caller: Caller,
  { target_message_id: messageId, target_user_id: userId }: Static<typeof FlagRequest>,
): Promise<Reportable> {
  if ((messageId === undefined) === (userId === undefined))
    throw inputError('target_message_id', 'either target_message_id or target_user_id must be set')
  return messageId === undefined ? flaggableUser(server, caller, userId!) : flaggableMessage(server, caller, messageId)
}

/** @throws ChatError DoesNotExistError (16), NotAllowedError (17) */
export async function flaggableMessage(server: Server, caller: Caller, id: string): Promise<Reportable> {
  const { message } = await accessMessage(server, caller, id, 'flag-message')
  return messageEntity(server, message)
}

/** @throws ChatError DoesNotExistError (16), NotAllowedError (17) */
export async function flaggableUser(server: Server, caller: Caller, id: string): Promise<Reportable> {
  demandInApp(caller, 'flag-user')
  const target = (await acquaintances(server, caller, [id])).get(id)
  if (!target) throw new ChatError('DoesNotExistError', `Can't find user with id ${id}`)
  return userEntity(target)
}
