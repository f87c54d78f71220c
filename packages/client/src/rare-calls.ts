/**
 * The names of lazily loaded calls. Their arguments and answers are declared in their own modules, where editors find
 * them. A call without a name here is no method.
 */
import { calls, soon, toWrite } from './on-demand.ts'

type Pieces = typeof import('./lazy-chunk-rare.ts') & {
  soon: typeof import('./channels/soon-calls.ts')
  toWrite: typeof import('./messages/reacting.ts') & typeof import('./messages/send-again.ts')
}

/** Chunks whose calls are not grouped by noun. */
const early = { soon, toWrite }

/** Has the context, the first argument of the calls. */
export class WithContext {
  protected readonly context: unknown
  constructor(context?: unknown) {
    this.context = context
  }
}

/** Calls as methods: with all arguments but the context, which each takes first. */
type Methods<Calls, Name extends keyof Calls> = {
  [Each in Name]: Calls[Each] extends (context: never, ...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Awaited<Answer>>
    : never
}

/**
 * A class with a method for each of these calls, besides those of its base. A method loads the calls on first use, and
 * passes the context of its object and the arguments.
 */
function withCalls<
  Noun extends keyof Pieces,
  Name extends keyof Pieces[Noun] & string,
  Base extends WithContext = WithContext,
>(noun: Noun, names: readonly Name[], base: new (context?: unknown) => Base = WithContext as never) {
  class WithCalls extends (base as typeof WithContext) {}
  const methods = WithCalls.prototype as unknown as Record<string, (...given: unknown[]) => unknown>
  for (const name of names)
    methods[name] = function (this: WithCalls, ...given: unknown[]) {
      const call = (all: object) => (all as typeof methods)[name]!(this.context, ...given)
      return noun in early
        ? early[noun as keyof typeof early].use(call)
        : calls.use((piece) => call(piece[noun as keyof typeof piece]))
    }
  return WithCalls as unknown as new (
    context?: unknown,
  ) => Base & Methods<Pieces[Noun], Name>
}

/** The calls of `messages/send-again.ts`. */
export const SendAgainCalls = withCalls('toWrite', ['sendAgain'])

/** The calls of `client-calls.ts`. */
export const ClientCalls = withCalls(
  'clientCalls',
  [
    'addDevice',
    'addPollAnswer',
    'banUser',
    'blockUser',
    'castPollVote',
    'closePoll',
    'createPoll',
    'createPollOption',
    'createReminder',
    'deleteChannels',
    'deleteMessage',
    'deletePoll',
    'deletePollOption',
    'deleteReminder',
    'enrichURL',
    'flagMessage',
    'flagUser',
    'getBlockedUsers',
    'getCallToken',
    'getDevices',
    'getMessage',
    'getPoll',
    'getPollOption',
    'getSharedLocations',
    'getUnreadCount',
    'markChannelsDelivered',
    'markChannelsRead',
    'muteUser',
    'partialUpdateMessage',
    'partialUpdatePoll',
    'partialUpdateUser',
    'partialUpdateUsers',
    'pinMessage',
    'queryBannedUsers',
    'queryDrafts',
    'queryFlagReports',
    'queryFutureChannelBans',
    'queryMessageFlags',
    'queryPollAnswers',
    'queryPollVotes',
    'queryPolls',
    'queryReactions',
    'queryReminders',
    'queryUsers',
    'removeDevice',
    'removePollVote',
    'removeShadowBan',
    'reviewFlagReport',
    'search',
    'setPushPreferences',
    'shadowBan',
    'sync',
    'translateMessage',
    'unBlockUser',
    'unbanUser',
    'unflagMessage',
    'unflagUser',
    'unmuteUser',
    'unpinMessage',
    'updateLocation',
    'updateMessage',
    'updatePoll',
    'updatePollOption',
    'updateReminder',
    'upsertUser',
    'upsertUsers',
  ],
  SendAgainCalls,
)

/** The calls of `channels/soon-calls.ts`. */
export const SoonCalls = withCalls('soon', [
  'edit',
  'getReplies',
  'jumpTo',
  'letGo',
  'loadNewer',
  'loadOlder',
  'markRead',
  'markUnread',
  'remove',
  'retry',
  'send',
  'sendEvent',
  'sendMessage',
])

/** The calls of `messages/reacting.ts`. */
export const ReactingCalls = withCalls('toWrite', ['react', 'unreact'], SoonCalls)

/** The calls of `channels/calls.ts`. */
export const ChannelCalls = withCalls(
  'channelCalls',
  [
    'acceptInvite',
    'addMembers',
    'addModerators',
    'archive',
    'assignRoles',
    'banUser',
    'create',
    'createCall',
    'createDraft',
    'delete',
    'deleteDraft',
    'deleteFile',
    'deleteImage',
    'deleteReaction',
    'demoteModerators',
    'disableSlowMode',
    'enableSlowMode',
    'getDraft',
    'getMessagesById',
    'getPinnedMessages',
    'getReactions',
    'hide',
    'inviteMembers',
    'mute',
    'partialUpdateMember',
    'pin',
    'queryMembers',
    'rejectInvite',
    'removeMembers',
    'removeShadowBan',
    'removeVote',
    'search',
    'sendAction',
    'sendFile',
    'sendImage',
    'sendReaction',
    'shadowBan',
    'show',
    'truncate',
    'unarchive',
    'unbanUser',
    'unmute',
    'unpin',
    'update',
    'updatePartial',
    'vote',
  ],
  ReactingCalls,
)

/** The calls of `moderation/review-calls.ts`. */
export const ModerationCalls = withCalls('moderationCalls', [
  'check',
  'deleteConfig',
  'flag',
  'flagMessage',
  'flagUser',
  'getConfig',
  'getUserModerationReport',
  'muteUser',
  'queryConfigs',
  'queryReviewQueue',
  'submitAction',
  'unmuteUser',
  'upsertConfig',
])
