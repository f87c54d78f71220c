import { REACTION_DATA_BYTES, REACTION_TYPES } from '@parley/protocol/limits'
import type { Message } from '@parley/protocol/messages'
import type { Reaction, ReactionGroup } from '@parley/protocol/reactions'
import { checkWriter, isShadowed } from '../../chat/bans/banned.ts'
import { type Access, checkNotFrozen, notAllowed, stillThere } from '../../chat/channels/channel-access.ts'
import { channelEvent } from '../../chat/channels/channel-wire.ts'
import { composeMessages } from '../../chat/messages/compose-messages.ts'
import { missing } from '../../chat/messages/message-access.ts'
import { recipientsNow } from '../../chat/messages/message-recipients.ts'
import { eventViewerOf } from '../../chat/messages/message-wire.ts'
import { setReactionGroups, storedMessage } from '../../chat/messages/reaction-groups.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow, ReactionRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { deleteOtherReactions, deleteReaction, putReaction, reactionSums } from './reaction-store.ts'
import { reactionWire } from './reactions-of-messages.ts'

/** Letters, digits, `_ + -` and emoji [messaging.md 5.9]. */
const TYPE = /^(?:[A-Za-z0-9_+-]|\p{Extended_Pictographic}|\p{Emoji_Component}|\u200D|\uFE0F)+$/u

/** Fields of a reaction that are not custom data. */
export const reactionFields: ReadonlySet<string> = new Set(
  'type score user_id user message_id created_at updated_at'.split(' '),
)

/**
 * Reacts to a message: one reaction per user and type, a repeated one replaces score and custom data [RXN-14]. A
 * shadow-banned user's reaction counts like any other, because an event has the same counts for all recipients; it
 * sends no notification.
 *
 * @throws ChatError InputError (4) — the message is deleted or has as many types as it may have, or the type has other
 *   characters
 * @throws ChatError ChannelFeatureNotSupportedError (19), NotAllowedError (17)
 */
export async function react(
  server: Server,
  access: Access,
  messageId: string,
  user: UserRow,
  request: { type: string; score?: number },
  { enforceUnique, skipPush = false }: { enforceUnique: boolean; skipPush?: boolean },
): Promise<{ message: Message; reaction: Reaction }> {
  const isMuted = skipPush || isShadowed(await checkReacting(server, access, user), access)
  checkReactionType('reaction.type', request.type)
  const data = JSON.stringify(customOf(request, reactionFields, REACTION_DATA_BYTES))

  return change(server, access, messageId, user, async (batch, message, at) => {
    const replaced = enforceUnique
      ? await deleteOtherReactions(batch.db, message.app, message.id, user.id, request.type)
      : []
    checkRoomFor(request.type, message, replaced)
    const reaction: ReactionRow = {
      app: message.app,
      message_id: message.id,
      user_id: user.id,
      type: request.type,
      score: request.score ?? 1,
      data,
      created_at: at,
      updated_at: at,
    }
    await putReaction(batch.db, reaction)
    return { reaction, event: replaced.length > 0 ? 'reaction.updated' : 'reaction.new', skipPush: isMuted }
  })
}

/** @throws ChatError DoesNotExistError (16) — the user has no such reaction there */
export async function unreact(
  server: Server,
  access: Access,
  messageId: string,
  user: UserRow,
  type: string,
): Promise<{ message: Message; reaction: Reaction }> {
  await checkReacting(server, access, user, 'delete-reaction')
  return removeReaction(server, access, messageId, user, type)
}

/** The same for a reaction that another user removes, whatever the reacting user may do. */
export async function removeReaction(
  server: Server,
  access: Access,
  messageId: string,
  user: UserRow,
  type: string,
): Promise<{ message: Message; reaction: Reaction }> {
  return change(server, access, messageId, user, async (batch, message) => {
    const reaction = await deleteReaction(batch.db, message.app, message.id, user.id, type)
    if (!reaction)
      throw new ChatError('DoesNotExistError', `Can't find reaction ${type} of ${user.id} on ${message.id}`)
    return { reaction, event: 'reaction.deleted' }
  })
}

/** @throws ChatError InputError (4) */
export function checkReactionType(field: string, type: string) {
  if (!TYPE.test(type)) throw inputError(field, `${field} may hold letters, digits, "_+-" and emoji`)
}

/**
 * @param replaced the types of the reactions that it replaces
 * @throws ChatError InputError (4) — one type too many; types the message already has are allowed
 */
function checkRoomFor(type: string, { reaction_groups_json }: MessageRow, replaced: readonly string[]) {
  const groups: Record<string, ReactionGroup> = JSON.parse(reaction_groups_json ?? '{}')
  const left = Object.keys(groups).filter((name) => groups[name]!.count > 1 || !replaced.includes(name))
  if (!Object.hasOwn(groups, type) && left.length >= REACTION_TYPES)
    throw inputError('reaction.type', `a message has at most ${REACTION_TYPES} types of reactions`)
}

/**
 * A user who may react may also remove the reaction.
 *
 * @returns the user to pass to `isShadowed`
 */
async function checkReacting(
  server: Server,
  access: Access,
  user: UserRow,
  permission: 'create-reaction' | 'delete-reaction' = 'create-reaction',
): Promise<UserRow> {
  if (!access.config.reactions)
    throw new ChatError(
      'ChannelFeatureNotSupportedError',
      `reactions are turned off in channels of type ${access.config.name}`,
    )
  const takesBack = permission === 'delete-reaction' && access.can('delete-reaction-owner')
  if (!takesBack && !access.can('create-reaction')) throw notAllowed(access, permission)
  checkNotFrozen(access)
  return checkWriter(server, user, access)
}

async function change(
  server: Server,
  access: Access,
  messageId: string,
  user: UserRow,
  act: (
    batch: Batch,
    message: MessageRow,
    at: number,
  ) => Promise<{ reaction: ReactionRow; event: string; skipPush?: boolean }>,
): Promise<{ message: Message; reaction: Reaction }> {
  const { app, cid } = access.channel
  return server.commit.write(app, [cid], async (batch) => {
    const message = await storedMessage(batch.db, app, messageId)
    if (!message) throw missing(messageId)
    if (message.deleted_at !== null) throw new ChatError('InputError', `message ${messageId} is deleted`)
    const channel = stillThere(batch, access.channel)
    const at = batch.nextTime(channel)
    const { reaction, event, skipPush } = await act(batch, message, at)

    const changed = await countReactions(batch, message, at)

    const userSummaries = await userSummariesOf(server, app, [user.id])
    const wire = reactionWire(reaction, userSummaries)
    const [heard] = await composeMessages(server, app, [changed], eventViewerOf(message), batch.db)
    const { thread_participants } = heard!
    batch.publish(channel, event, {
      at,
      watchers: channelEvent(channel, event, at, {
        message: heard,
        message_id: messageId,
        user: userSummaries.of(user.id),
        reaction: wire,
        ...(thread_participants && { thread_participants }),
        ...(skipPush && { skip_push: true }),
      }),
      ...(await recipientsNow(server, batch.db)(message)),
    })
    const [answered] = await composeMessages(server, app, [changed], user.id, batch.db)
    return { message: answered!, reaction: wire }
  })
}

/** Stores how many reactions of each type a message has now. */
export async function countReactions(batch: Batch, message: MessageRow, at: number): Promise<MessageRow> {
  const sums = await reactionSums(batch.db, message.app, message.id)
  const groups = sums.map(({ type, count, sum_scores, first_at, last_at }) => [
    type,
    { count, sum_scores, first_reaction_at: isoOf(first_at), last_reaction_at: isoOf(last_at) },
  ])
  return setReactionGroups(batch.db, message, groups.length > 0 ? Object.fromEntries(groups) : null, at)
}
