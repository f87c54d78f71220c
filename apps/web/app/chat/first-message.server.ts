/**
 * Checks the first message of a chat before the chat is made: what the chat server would refuse for its text can still
 * be changed, and no empty chat is left behind [NEW-62].
 */
import type { ChatClient } from '@parley/client/server'
import type { ChannelConfig } from '@parley/protocol/channel-types'
import { slashTextIn } from '@parley/protocol/slash-text'
import { CHANNEL_TYPE } from './chat-permissions.server.ts'
import type { FirstMessageError } from './start-chat.ts'

export interface FirstMessage {
  /** Depends on the key of the call and on the message, so that a retry does not send it twice. */
  id: string
  text?: string
  imageUrl?: string
}

/** The settings of a channel that decide about a message. */
export type MessageRules = Pick<
  ChannelConfig,
  'commands' | 'max_message_length' | 'automod' | 'automod_behavior' | 'blocklist' | 'blocklist_behavior' | 'blocklists'
>

/** A block list, and what happens to a text with one of its words. */
interface ListRule {
  name: string
  action: string
}

interface BlockListConfig {
  enabled?: boolean
  match_substring?: boolean
  rules?: ListRule[]
}

/** The list of `automod: 'simple'`. */
const BUILT_IN_LIST = 'profanity_en_2020_v1'

/** The actions that stop a message every time, and do nothing else to its author. */
const STOPPING = ['remove', 'bounce']

/**
 * The error in a first message, if the chat server would refuse it.
 *
 * @param there  the rules of the chat, if it exists already
 */
export async function firstMessageError(
  client: ChatClient,
  { id, text, imageUrl }: FirstMessage,
  authorId: string,
  there: MessageRules | undefined,
): Promise<FirstMessageError | undefined> {
  if (!text) return undefined
  const rules = there ?? ((await client.getChannelType(CHANNEL_TYPE)) as MessageRules)
  const max = rules.max_message_length
  if ([...text].length > max) return { reason: 'firstMessage.tooLong', max }
  // Only its sender sees the answer to a command, so there would be no message.
  const slash = slashTextIn(rules.commands, text)
  if (slash) return { reason: 'firstMessage.command', command: slash.command }

  const content = {
    entity_type: 'stream:chat:v1:message',
    entity_id: id,
    entity_creator_id: authorId,
    moderation_payload: { texts: [text], images: imageUrl ? [imageUrl] : [] },
  }
  for (const lists of [{ rules: listsOf(rules) }, await configuredLists(client)])
    if (await isStopped(client, content, lists)) return { reason: 'firstMessage.moderated' }
  return undefined
}

/** The block lists that a channel type, or a channel, names. */
function listsOf({ blocklist, blocklist_behavior, blocklists = [], automod, automod_behavior }: MessageRules) {
  const named = [
    ...(blocklist ? [{ blocklist, behavior: blocklist_behavior ?? 'flag' }] : []),
    ...blocklists,
    ...(automod === 'simple' ? [{ blocklist: BUILT_IN_LIST, behavior: automod_behavior }] : []),
  ]
  const actions = { block: 'remove', shadow_block: 'shadow', flag: 'flag' }
  return named.map(({ blocklist: name, behavior }): ListRule => ({ name, action: actions[behavior] }))
}

/** The block lists of the moderation configuration for new channels: that of their type, or that of all chat. */
async function configuredLists(client: ChatClient): Promise<BlockListConfig> {
  const { app } = (await client.getAppSettings()) as { app: { moderation_enabled?: boolean } }
  if (app.moderation_enabled === false) return {}
  const keys = [`chat:${CHANNEL_TYPE}`, 'chat']
  const { configs } = await client.moderation.queryConfigs({ key: { $in: keys } })
  const [nearest] = keys.flatMap((key) => configs.filter((config) => config.key === key && !config.team))
  return (nearest?.block_list_config as BlockListConfig | undefined) ?? {}
}

async function isStopped(client: ChatClient, content: object, lists: BlockListConfig): Promise<boolean> {
  const { enabled = true, rules = [] } = lists
  if (!enabled || !rules.some(({ action }) => STOPPING.includes(action))) return false
  const check = async (test_mode: boolean) => {
    const body = { ...content, config: { block_list_config: lists }, test_mode }
    const path = '/api/v2/moderation/check'
    return (await client.request<{ recommended_action: string }>('POST', path, { body })).recommended_action
  }
  const action = await check(true)
  // The moderators see a removed message, as if it had been sent.
  if (action === 'remove') await check(false)
  return STOPPING.includes(action)
}
