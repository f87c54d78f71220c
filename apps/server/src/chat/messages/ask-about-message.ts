/** Asks the app's own server about a message while its sender waits [administration.md 4.3, 13.6]. */
import { ATTACHMENTS_PER_MESSAGE } from '@parley/protocol/limits'
import { Attachment, Message } from '@parley/protocol/messages'
import Type, { type Static } from 'typebox'
import { parseJson } from '../../platform/http/json.ts'
import { Validator } from '../../platform/http/validate.ts'
import { OutboundError, type OutboundPolicy, outboundFetch } from '../../platform/outbound/outbound-fetch.ts'
import type { App } from '../apps/app.ts'
import { signedHeaders } from '../apps/signed-call.ts'
import { messageFields } from './message-fields.ts'

const SIZE_LIMIT_BYTES = 262_144

/** Message fields the answer may change; all others are custom data. */
const Changed = Type.Object({
  text: Type.Optional(Type.String()),
  type: Type.Optional(Type.Enum(['regular', 'reply', 'system', 'ephemeral', 'error'])),
  attachments: Type.Optional(Type.Array(Attachment, { maxItems: ATTACHMENTS_PER_MESSAGE })),
  i18n: Message.properties.i18n,
  silent: Type.Optional(Type.Boolean()),
  show_in_channel: Type.Optional(Type.Boolean()),
})
export type Changed = Static<typeof Changed> & { [field: string]: unknown }
const checkAnswer = new Validator(Type.Object({ message: Type.Optional(Changed) }))

/**
 * Asks once, for at most `timeLimitMs`; an empty object leaves the message as it is.
 *
 * @throws OutboundError — no answer, or a refusal; ChatError InputError (4) — the answer makes no sense
 */
export async function askAboutMessage(
  policy: OutboundPolicy,
  app: App,
  url: string,
  call: { message: Message; [about: string]: unknown },
  timeLimitMs: number,
): Promise<Changed> {
  const body = JSON.stringify(call)
  const answer = await outboundFetch(policy, url, {
    body,
    headers: signedHeaders(app, body),
    timeLimitMs,
    sizeLimitBytes: SIZE_LIMIT_BYTES,
  })
  if (answer.status < 200 || answer.status > 299) throw new OutboundError('unreachable', `status ${answer.status}`)
  const text = answer.body.toString().trim()
  if (text === '') return {}
  const parsed = parseJson(text, 'the answer')
  checkAnswer.check(parsed)
  return applied((parsed as { message?: Changed }).message ?? {})
}

/** The answer cannot change the author, the time or the channel. */
function applied(changed: Changed): Changed {
  const isApplied = (field: string) => Object.hasOwn(Changed.properties, field) || !messageFields.has(field)
  return Object.fromEntries(Object.entries(changed).filter(([field]) => isApplied(field)))
}
