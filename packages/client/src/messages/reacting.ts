/** Reactions, shown before the server has answered; loaded with the first reaction [client.md 2.7]. */
import type { ChannelContext } from '../channels/channel-context.ts'
import { messageIn } from '../channels/channel-state.ts'
import { soon } from '../on-demand.ts'
import type { CallOptions, Message, Reaction, ReactionGroup } from '../shapes.ts'
import { anyGroup, type LocalMessage, localMessage } from './local-message.ts'
import type { Outbox, ReactionDraft } from './outbox.ts'

/** The code that changes the state, which is a chunk of its own. */
type Soon = typeof import('../lazy-chunk-soon.ts')

// Optimistic messages

/** Shows the reaction at once. If the server refuses, it is removed and the call rejects. */
export function react(
  context: ChannelContext,
  id: string,
  given: string | ReactionDraft,
  options: { enforce_unique?: boolean } = {},
  call: CallOptions = {},
): Promise<void> {
  const { channel, host } = context
  return soon.use((piece) => {
    const outbox = piece.usable(context)
    const reaction = typeof given === 'string' ? { type: given } : given
    const me = piece.signedIn(host)
    const at = new Date(host.clock.now()).toISOString()
    const added = { message_id: id, user_id: me.id, user: me, score: 1, created_at: at, updated_at: at, ...reaction }
    const reacted = (before: Reaction[]) => {
      const kept = before.filter(({ type }) => !options.enforce_unique && type !== added.type)
      return [added as Reaction, ...kept]
    }
    return changeReactions(piece, outbox, id, reacted, () => channel.sendReaction(id, reaction, options, call))
  })
}

/** Removes a reaction at once. If the server refuses, it is restored and the call rejects. */
export function unreact(context: ChannelContext, id: string, type: string, call: CallOptions = {}): Promise<void> {
  const others = (before: Reaction[]) => before.filter((reaction) => reaction.type !== type)
  const request = () => context.channel.deleteReaction(id, type, undefined, call)
  return soon.use((piece) => changeReactions(piece, piece.usable(context), id, others, request))
}

async function changeReactions(
  { knownMessage, newer, put, withChanged }: Soon,
  outbox: Outbox,
  id: string,
  changed: (before: Reaction[]) => Reaction[],
  request: () => Promise<{ message: Message }>,
) {
  const { channel, change } = outbox.context
  const known = knownMessage(outbox, id)
  const before = known.own_reactions
  const after = changed(before)
  put(outbox, withOwn(known, after))
  const asking = (outbox.reacting.get(id) ?? Promise.resolve()).then(request, request)
  outbox.reacting.set(id, asking)
  try {
    const message = localMessage((await asking).message)
    change((state) => {
      const known = messageIn(state, id)
      // The answer does not include later reactions of the user; their own answers or events do.
      if (known?.own_reactions !== after) return state
      return withChanged(state, { ...newer(message, known), own_reactions: message.own_reactions })
    })
  } catch (error) {
    const message = messageIn(channel.state, id)
    const mine = message?.own_reactions ?? []
    // If only the answer was lost, an event may have confirmed the reaction; then it is another object.
    const others = mine.filter((reaction) => before.includes(reaction) || !after.includes(reaction))
    const own_reactions = mine === after ? before : others
    if (message)
      put(
        outbox,
        guessed.has(message.latest_reactions) ? withOwn(message, own_reactions) : { ...message, own_reactions },
      )
    throw error
  } finally {
    if (outbox.reacting.get(id) === asking) outbox.reacting.delete(id)
  }
}

/**
 * Reaction lists whose counts were computed here. A refused reaction must be subtracted only from those: the server's
 * counts never include it.
 */
const guessed = new WeakSet<readonly Reaction[]>()

/** The message with changed own reactions and counts. */
function withOwn(message: LocalMessage, mine: Reaction[]): LocalMessage {
  // A reaction may be called `constructor`.
  const groups = new Map(Object.entries(message.reaction_groups ?? {}))
  const change = ({ type, score, created_at }: Reaction, by: 1 | -1) => {
    const none = { count: 0, sum_scores: 0, first_reaction_at: created_at, last_reaction_at: created_at }
    const { count, sum_scores, ...times } = groups.get(type) ?? none
    groups.set(type, { ...times, count: count + by, sum_scores: sum_scores + by * score })
    if (count + by <= 0) groups.delete(type)
  }
  for (const reaction of message.own_reactions) if (!mine.includes(reaction)) change(reaction, -1)
  for (const reaction of mine) if (!message.own_reactions.includes(reaction)) change(reaction, 1)
  const others = message.latest_reactions.filter(
    (reaction) => !message.own_reactions.some((old) => isSame(old, reaction)),
  )
  const latest_reactions = [...mine, ...others]
  guessed.add(latest_reactions)
  return {
    ...message,
    own_reactions: mine,
    latest_reactions,
    reaction_groups: anyGroup(Object.fromEntries(groups)),
    reaction_counts: ofEach(groups, ({ count }) => count),
    reaction_scores: ofEach(groups, ({ sum_scores }) => sum_scores),
  }
}

function ofEach(groups: Map<string, ReactionGroup>, pick: (group: ReactionGroup) => number) {
  return Object.fromEntries([...groups].map(([type, group]) => [type, pick(group)]))
}

function isSame(a: Reaction, b: Reaction) {
  return a.user_id === b.user_id && a.type === b.type
}
