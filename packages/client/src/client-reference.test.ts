/**
 * Every name that client.md documents exists in its place. A missing one does not compile here; names that untyped
 * applications use are checked at run time. The behaviour of each is tested in its own file.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { Campaign } from './campaigns/campaign.ts'
import * as index from './index.ts'
import type { Segment } from './segments/segment.ts'
import * as server from './server.ts'

const options = { baseURL: 'https://chat.example.com' }
const client = new index.ChatClient('key', options)
const company = new server.ChatClient('key', 'secret', options)
const channel = company.channel('messaging', 'tea')

/** Requires names of an object; a name that its type lacks does not compile. */
function has<Thing extends object>(thing: Thing, ...names: (keyof Thing)[]) {
  for (const name of names) assert.ok(name in thing, `${String(name)} is missing`)
}

describe('client.md 0', () => {
  it('the two entry points of the package', () => {
    has(index, 'ChatClient', 'ChatError', 'Channel', 'Thread', 'Poll', 'AllowAll', 'DenyAll', 'compatibleWith')
    has(server, 'ChatClient', 'ChatError', 'Channel', 'Thread', 'Poll', 'AllowAll', 'DenyAll', 'compatibleWith')
    has(server, 'Campaign', 'Segment')
    assert.equal(index.compatibleWith, '8.45.0')
  })

  it('custom data is declared in one place for every noun', () => {
    type Nouns = [
      index.CustomUserData,
      index.CustomChannelData,
      index.CustomMessageData,
      index.CustomAttachmentData,
      index.CustomMemberData,
      index.CustomReactionData,
      index.CustomEventData,
      index.CustomPollData,
      index.CustomPollOptionData,
      index.CustomThreadData,
      index.CustomCommandData,
      index.CustomEvents,
    ]
    const count: Nouns['length'] = 12
    assert.equal(count, 12)
  })
})

describe('client.md 1', () => {
  it('the client', () => {
    has(
      client,
      'key',
      'userID',
      'user',
      'clientID',
      'connection',
      'mutedUsers',
      'mutedChannels',
      'blockedUserIds',
      'threads',
      'polls',
      'moderation',
    )
    has(
      client,
      'connectUser',
      'connectAnonymousUser',
      'setGuestUser',
      'disconnectUser',
      'openConnection',
      'closeConnection',
    )
    has(client, 'on', 'off', 'channel', 'queryChannels', 'request', 'devToken')
  })

  it('connection and session', () => {
    has(client, 'getAppSettings', 'sync', 'enrichURL', 'getUnreadCount', 'getCallToken')
    has(
      company,
      'createToken',
      'updateAppSettings',
      'revokeTokens',
      'revokeUserToken',
      'revokeUsersToken',
      'getUnreadCountBatch',
    )
    has(company, 'testPushSettings', 'testSQSSettings', 'testSNSSettings', 'getRateLimits')
  })

  it('users', () => {
    has(client, 'queryUsers', 'upsertUsers', 'upsertUser', 'partialUpdateUsers', 'partialUpdateUser')
    has(client, 'blockUser', 'unBlockUser', 'getBlockedUsers', 'getSharedLocations', 'updateLocation')
    has(
      company,
      'deleteUser',
      'deleteUsers',
      'restoreUsers',
      'deactivateUser',
      'reactivateUser',
      'deactivateUsers',
      'reactivateUsers',
    )
    has(company, 'exportUser', 'exportUsers', 'sendUserCustomEvent')
  })

  it('channels and messages', () => {
    has(
      client,
      'search',
      'markChannelsRead',
      'markChannelsDelivered',
      'deleteChannels',
      'getMessage',
      'updateMessage',
      'partialUpdateMessage',
    )
    has(client, 'deleteMessage', 'pinMessage', 'unpinMessage', 'translateMessage', 'queryReactions', 'queryDrafts')
    has(
      client,
      'createReminder',
      'updateReminder',
      'deleteReminder',
      'queryReminders',
      'queryThreads',
      'getThread',
      'partialUpdateThread',
    )
    has(company, 'updateChannelsBatch', 'undeleteMessage', 'queryMessageHistory', 'commitMessage')
  })

  it('polls', () => {
    has(
      client,
      'createPoll',
      'getPoll',
      'updatePoll',
      'partialUpdatePoll',
      'closePoll',
      'deletePoll',
      'createPollOption',
      'getPollOption',
    )
    has(client, 'updatePollOption', 'deletePollOption', 'castPollVote', 'addPollAnswer', 'removePollVote')
    has(client, 'queryPolls', 'queryPollVotes', 'queryPollAnswers')
  })

  it('moderation', () => {
    has(client, 'banUser', 'unbanUser', 'shadowBan', 'removeShadowBan', 'muteUser', 'unmuteUser', 'userMuteStatus')
    has(client, 'flagMessage', 'flagUser', 'unflagMessage', 'unflagUser', 'queryBannedUsers', 'queryFutureChannelBans')
    has(client, 'queryMessageFlags', 'queryFlagReports', 'reviewFlagReport')
  })

  it('configuration', () => {
    has(client, 'addDevice', 'getDevices', 'removeDevice', 'setLocalDevice', 'setPushPreferences')
    has(company, 'createChannelType', 'getChannelType', 'updateChannelType', 'deleteChannelType', 'listChannelTypes')
    has(company, 'createCommand', 'getCommand', 'updateCommand', 'deleteCommand', 'listCommands')
    has(company, 'createPermission', 'getPermission', 'updatePermission', 'deletePermission', 'listPermissions')
    has(company, 'createRole', 'listRoles', 'deleteRole')
    has(company, 'createBlockList', 'listBlockLists', 'getBlockList', 'updateBlockList', 'deleteBlockList')
    has(company, 'upsertPushProvider', 'deletePushProvider', 'listPushProviders')
    has(company, 'exportChannels', 'exportChannel', 'getExportChannelStatus', 'getTask')
    has(company, 'createImportURL', 'createImport', 'getImport', 'listImports')
    has(
      company,
      'createSegment',
      'createUserSegment',
      'createChannelSegment',
      'getSegment',
      'updateSegment',
      'deleteSegment',
    )
    has(
      company,
      'querySegments',
      'addSegmentTargets',
      'removeSegmentTargets',
      'segmentTargetExists',
      'querySegmentTargets',
    )
    has(company, 'createCampaign', 'getCampaign', 'startCampaign', 'stopCampaign', 'updateCampaign', 'deleteCampaign')
    has(company, 'queryCampaigns', 'segment', 'campaign', 'verifyWebhook')
  })
})

describe('client.md 2', () => {
  it('a channel', () => {
    has(
      channel,
      'type',
      'id',
      'cid',
      'data',
      'state',
      'initialized',
      'disconnected',
      'composer',
      'snapshot',
      'subscribe',
      'on',
      'off',
    )
    has(
      channel,
      'getClient',
      'getConfig',
      'muteStatus',
      'lastMessage',
      'lastRead',
      'countUnread',
      'countUnreadMentions',
    )
  })

  it('the calls of a channel', () => {
    has(
      channel,
      'create',
      'watch',
      'query',
      'stopWatching',
      'sendMessage',
      'getMessagesById',
      'getReplies',
      'getPinnedMessages',
    )
    has(
      channel,
      'sendReaction',
      'deleteReaction',
      'getReactions',
      'sendAction',
      'update',
      'updatePartial',
      'enableSlowMode',
    )
    has(
      channel,
      'disableSlowMode',
      'delete',
      'truncate',
      'addMembers',
      'removeMembers',
      'inviteMembers',
      'acceptInvite',
      'rejectInvite',
    )
    has(channel, 'addModerators', 'demoteModerators', 'assignRoles', 'queryMembers', 'partialUpdateMember')
    has(
      channel,
      'archive',
      'unarchive',
      'pin',
      'unpin',
      'mute',
      'unmute',
      'hide',
      'show',
      'markRead',
      'markUnread',
      'sendEvent',
    )
    has(channel, 'keystroke', 'stopTyping', 'sendFile', 'sendImage', 'deleteFile', 'deleteImage')
    has(channel, 'banUser', 'unbanUser', 'shadowBan', 'removeShadowBan', 'vote', 'removeVote')
    has(channel, 'createDraft', 'getDraft', 'deleteDraft', 'createCall', 'search')
    has(channel, 'jumpTo', 'loadOlder', 'loadNewer', 'send', 'retry', 'edit', 'remove', 'react', 'unreact')
  })

  it('the state of a channel', () => {
    has(channel.state, 'sets', 'messages', 'replies', 'pinned_messages', 'pending_messages', 'members', 'membership')
    has(channel.state, 'watchers', 'watcher_count', 'read', 'typing', 'unreadCount', 'last_message_at')
  })
})

describe('client.md 5', () => {
  it('a thread and the list of threads', () => {
    has(index.Thread.prototype, 'show', 'hide', 'reload', 'loadOlder', 'loadNewer', 'markRead')
    has(index.Thread.prototype, 'unreadCount', 'composer')
    has(client.threads, 'snapshot', 'subscribe', 'load', 'loadMore', 'reload')
    has(
      client.threads.snapshot(),
      'threads',
      'next',
      'loading',
      'loaded',
      'unreadThreads',
      'newThreadIds',
      'orderStale',
    )
  })

  it('polls', () => {
    has(client.polls, 'get')
    has(
      index.Poll.prototype,
      'update',
      'partialUpdate',
      'close',
      'delete',
      'createOption',
      'updateOption',
      'deleteOption',
    )
    has(index.Poll.prototype, 'castVote', 'removeVote', 'addAnswer', 'removeAnswer', 'queryAnswers', 'queryOptionVotes')
    has(index.Poll.prototype, 'leadingOptions', 'ownVoteFor')
  })

  it('moderation', () => {
    has(client.moderation, 'flag', 'flagUser', 'flagMessage', 'muteUser', 'unmuteUser', 'getUserModerationReport')
    has(
      client.moderation,
      'queryReviewQueue',
      'upsertConfig',
      'getConfig',
      'deleteConfig',
      'queryConfigs',
      'submitAction',
      'check',
    )
  })

  it('a campaign and a segment', () => {
    const campaign: Campaign = company.campaign('c1')
    has(campaign, 'id', 'data', 'create', 'start', 'stop', 'update', 'delete', 'get')
    const segment: Segment = company.segment('user', 's1')
    has(
      segment,
      'id',
      'data',
      'create',
      'get',
      'update',
      'addTargets',
      'removeTargets',
      'delete',
      'targetExists',
      'queryTargets',
    )
  })

  it('the composer', () => {
    has(
      channel.composer,
      'snapshot',
      'subscribe',
      'setText',
      'mention',
      'attach',
      'retry',
      'remove',
      'quote',
      'edit',
      'send',
      'clear',
    )
    has(channel.composer.snapshot(), 'text', 'mentioned', 'quoted', 'editing', 'showInChannel', 'uploads')
  })
})
