import type { Access } from '../../chat/channels/channel-access.ts'
import { channelWire, usersOfChannel } from '../../chat/channels/channel-wire.ts'
import { askAboutMessage, type Changed } from '../../chat/messages/ask-about-message.ts'
import { messageWire, pollsIn, usersIn } from '../../chat/messages/message-wire.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { MessageRow, UserRow } from '../../platform/database/tables.ts'
import { causeOf } from '../../platform/http/request-info.ts'
import { OutboundError } from '../../platform/outbound/outbound-fetch.ts'
import type { Server } from '../../server.ts'
import { pollsShown } from '../polls/polls-shown.ts'

const TIME_LIMIT_MS = 1_000

/**
 * The app server's changes to a message before it is stored; an empty object leaves it unchanged. The sender waits for
 * it, once and briefly: a server that fails or does not answer blocks no message, and one that fails repeatedly is
 * skipped for a while [administration.md 13.6].
 */
export async function askBeforeSending(
  server: Server,
  { channel, member }: Access,
  author: UserRow,
  row: MessageRow,
): Promise<Changed> {
  const { apps, clock, webhookBreaker, outages } = server
  const app = apps.of(row.app)
  const { before_message_send_hook_url: url, before_message_send_hook_attempt_timeout_ms: limit } = app.settings
  const who = `${app.id} before ${url}`
  if (!url || !webhookBreaker.allowsCall(who)) return {}
  const now = clock.micros()
  const userSummaries = await userSummariesOf(server, app.id, [author.id, ...usersIn(row), ...usersOfChannel(channel)])
  const polls = await pollsShown(server, app.id, pollsIn([row]), author.id, server.database.read)
  const written = { ...row, created_at: now, updated_at: now }
  const call = {
    message: messageWire(written, { userSummaries, now, viewerId: undefined, polls, member }),
    user: userSummaries.of(author.id),
    channel: channelWire(server, channel, userSummaries),
    request_info: causeOf(),
  }
  try {
    const changed = await askAboutMessage(server.outboundPolicies.operator, app, url, call, limit || TIME_LIMIT_MS)
    webhookBreaker.answered(who)
    outages.answered(who, { app: app.id }, 'the app’s own server is asked again before messages are sent')
    return changed
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof ChatError)) throw error
    webhookBreaker.failed(who)
    const fields = { app: app.id, why: error.message }
    outages.failed(who, fields, 'a message was sent without the word of the app’s own server')
    return {}
  }
}
