/**
 * The names of calls that are fetched, all that is there of them before the first is used. What they are given and
 * answer is declared where they are: an editor finds it there, and a name that is missing here is no method.
 */
import { calls, soon, toWrite } from './on-demand.ts'

type Pieces = typeof import('./lazy-chunk-rare.ts') & {
  soon: typeof import('./channels/soon-calls.ts')
  toWrite: typeof import('./messages/reacting.ts') & typeof import('./messages/send-again.ts')
}

/** Pieces whose calls are not gathered by noun. */
const early = { soon, toWrite }

/** What its calls ask for first. */
export class WithContext {
  protected readonly context: unknown
  constructor(context?: unknown) {
    this.context = context
  }
}

/** Calls as methods: with all arguments but the context that each of them takes first. */
type Methods<Calls, Name extends keyof Calls> = {
  [Each in Name]: Calls[Each] extends (context: never, ...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Awaited<Answer>>
    : never
}

/**
 * A class with a method for each of these calls, besides what its base has. A method fetches the calls with its first
 * use, and passes the context of its object and the arguments.
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

/** What `messages/send-again.ts` has. */
export const SendAgainCalls = withCalls('toWrite', ['sendAgain'])

/** What `client-calls.ts` has. */
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

/** What `channels/soon-calls.ts` has. */
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

/** What `messages/reacting.ts` has. */
export const ReactingCalls = withCalls('toWrite', ['react', 'unreact'], SoonCalls)

/** What `channels/calls.ts` has. */
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

/** What `moderation/review-calls.ts` has. */
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
