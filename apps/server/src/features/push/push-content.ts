import type { PushProvider, pushEvents } from '@parley/protocol/devices'
import { PUSH_BYTES } from '@parley/protocol/limits'
import { plainLines } from '@parley/protocol/text/plain-text'
import { inputError } from '../../platform/chat-error.ts'
import type { PushedEvent } from '../devices/push-recipients.ts'
import { type PushRules, templateFor } from './pushed-events.ts'
import { cut, Template, TemplateError } from './template.ts'

/** What a notification shows of a message, and of a name. */
const BODY_CHARS = 150
const NAME_CHARS = 100

/** What a service is given for one device, in its own shape; Huawei and Xiaomi are given `data` and, some, `alert`. */
export type Content = Record<string, unknown>

/** What a template can speak of [administration.md 8.4]. */
export interface PushContext {
  [name: string]: unknown
  event_type: string
  sender: Named
  receiver: Named
  message: NonNullable<PushedEvent['message']> & { text?: string }
  channel: { type: string; id: string; cid: string }
  members: Named[]
  otherMembers: Named[]
  unread_count: number
  unread_channels: number
  isThread: boolean
  isMentioned: boolean
}

interface Named {
  id: string
  name?: string
}

/** The templates that apply to one push; without one it uses the default text. */
export interface PushTexts {
  apn?: string | undefined
  /** Of Firebase: what is shown, what the app gets, and what only iPhones get. */
  firebase?: string | undefined
  data?: string | undefined
  apns?: string | undefined
  /** Of Huawei and Xiaomi. */
  other?: string | undefined
}

/** A template for the event takes the place of what the provider has for all. */
export function textsOf(app: PushRules, provider: PushProvider, event: string): PushTexts {
  const own = templateFor(app, provider, event)?.template
  switch (provider.type) {
    case 'apn':
      return { apn: own ?? provider.apn_notification_template }
    case 'firebase':
      if (own) return { firebase: own }
      return {
        firebase: provider.firebase_notification_template,
        data: provider.firebase_data_template,
        apns: provider.firebase_apn_template,
      }
    default:
      return { other: own }
  }
}

/** What one device gets, and what was wrong with its template: then it gets the usual. */
export interface Rendered {
  content: Content
  problem?: string
}

/** Makes what devices are given; a template that serves many is read once. */
export class PushWriter {
  #templates = new Map<string, Template>()

  write(type: PushProvider['type'], texts: PushTexts, context: PushContext): Rendered {
    try {
      const content = this.#made(type, texts, context)
      if (Buffer.byteLength(JSON.stringify(content)) <= PUSH_BYTES) return { content }
      return { content: this.#made(type, {}, context), problem: `it has more than ${PUSH_BYTES} bytes` }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      return { content: this.#made(type, {}, context), problem: error.message }
    }
  }

  #made(type: PushProvider['type'], texts: PushTexts, context: PushContext): Content {
    const fill = (text: string | undefined) => (text ? this.#template(text).fill(context) : undefined)
    const data = dataOf(context)
    switch (type) {
      case 'apn':
        return { stream: data, ...(fill(texts.apn) ?? { aps: apsOf(context) }) }
      case 'firebase':
        return firebaseContent(fill(texts.firebase), fill(texts.data), fill(texts.apns), context)
      default: {
        const { title, body } = alertOf(context)
        // Xiaomi takes no empty description.
        return { data: fill(texts.other) ?? data, alert: { title, description: body || title } }
      }
    }
  }

  /** @throws TemplateError */
  #template(text: string): Template {
    const known = this.#templates.get(text) ?? new Template(text)
    this.#templates.set(text, known)
    return known
  }
}

/** The parts of a message for Firebase. A template may write some of them, or only what is shown. */
const firebaseParts: ReadonlySet<string> = new Set('data notification android apns webpush fcm_options'.split(' '))

function firebaseContent(
  shown: Content | undefined,
  data: Content | undefined,
  apns: Content | undefined,
  context: PushContext,
): Content {
  const whole = shown && (isObject(shown.message) ? shown.message : shown)
  const parts = whole && (Object.keys(whole).some((key) => firebaseParts.has(key)) ? whole : { notification: whole })
  const made: Content = {
    data: data ?? dataOf(context),
    android: { priority: 'high' },
    ...(!shown && !data && { apns: { payload: { aps: apsOf(context) } } }),
    ...parts,
    ...(apns && { apns: isObject(apns.payload) ? apns : { payload: apns } }),
  }
  return isObject(made.data) ? { ...made, data: inWords(made.data) } : made
}

function isObject(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Firebase takes nothing but texts for data. */
function inWords(data: Content): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

/** The data of a push; clients check `version` and `sender` [administration.md 8.4]. */
export function dataOf({ event_type: type, message, channel, receiver }: PushContext): Record<string, string> {
  return {
    version: 'v2',
    sender: 'stream.chat',
    type,
    id: message.id,
    message_id: message.id,
    channel_type: channel.type,
    channel_id: channel.id,
    cid: channel.cid,
    receiver_id: receiver.id,
  }
}

function apsOf(context: PushContext) {
  return { alert: alertOf(context), badge: context.unread_count, 'mutable-content': 1 }
}

const titles: Record<(typeof pushEvents)[number], (name: string) => string> = {
  'message.new': (name) => `New message from ${name}`,
  'message.updated': (name) => `${name} changed a message`,
  'reaction.new': (name) => `${name} reacted to your message`,
  'reaction.updated': (name) => `${name} changed a reaction to your message`,
  'notification.reminder_due': () => 'Reminder',
}

function alertOf({ event_type, sender, message }: PushContext): { title: string; body: string } {
  const title = titles[event_type as (typeof pushEvents)[number]] ?? titles['message.new']
  return {
    title: title(cut(sender.name || sender.id, NAME_CHARS)),
    body: cut(plainLines(message.text ?? ''), BODY_CHARS),
  }
}

/**
 * Looks at a template with an example before it is kept.
 *
 * @throws ChatError InputError (4) — it is none, or what comes of it is no JSON object
 */
export function checkTemplate(field: string, text: string, event: string) {
  try {
    new Template(text).fill(exampleOf(event))
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw inputError(field, `${field} is no template for a push: ${error.message}`)
  }
}

function exampleOf(event_type: string): PushContext {
  const [sender, receiver, third] = ['Ada', 'Bo', 'Cy'].map((name) => ({ id: name.toLowerCase(), name })) as [
    Named,
    Named,
    Named,
  ]
  const message = { id: 'example', text: '“Lunch?”\n"Now!"', type: 'regular', user: sender, attachments: [] }
  return {
    event_type,
    sender,
    receiver,
    unread_count: 3,
    unread_channels: 1,
    isThread: false,
    isMentioned: false,
    message: message as unknown as PushContext['message'],
    channel: { type: 'messaging', id: 'example', cid: 'messaging:example', name: 'Lunch' } as PushContext['channel'],
    members: [sender, receiver, third],
    otherMembers: [sender, third],
    ...(event_type.startsWith('reaction.') && { reaction: { type: 'like', score: 1, user: sender } }),
  }
}
