/**
 * The app's own server, which runs the commands that the app made up.
 * @see administration.md 4.3, 13.3
 */
import { ATTACHMENTS_PER_MESSAGE } from '@parley/protocol/limits'
import { Attachment, Message } from '@parley/protocol/messages'
import type { User } from '@parley/protocol/users'
import Type, { type Static } from 'typebox'
import type { App } from '../apps/app.ts'
import { ChatError } from '../chat-error.ts'
import { parseJson } from '../http/json.ts'
import { Validator } from '../http/validate.ts'
import { messageFields } from '../messages/message-fields.ts'
import { fetchOutside, type Outlook, OutsideError } from '../outside/fetch-outside.ts'
import { Patience } from '../outside/patience.ts'
import { signedHeaders } from '../outside/signed-call.ts'

/** A sender waits for it. */
const TIME_LIMIT_MS = 1_000
const SIZE_LIMIT_BYTES = 262_144

/** What a handler may say of the message; all else in it is custom data. */
const Changed = Type.Object({
  text: Type.Optional(Type.String()),
  type: Type.Optional(Type.Enum(['regular', 'ephemeral', 'error'])),
  attachments: Type.Optional(Type.Array(Attachment, { maxItems: ATTACHMENTS_PER_MESSAGE })),
  i18n: Message.properties.i18n,
  silent: Type.Optional(Type.Boolean()),
  show_in_channel: Type.Optional(Type.Boolean()),
})
export type Changed = Static<typeof Changed> & { [field: string]: unknown }
const checkAnswer = new Validator(Type.Object({ message: Type.Optional(Changed) }))

interface CommandCall {
  message: Message
  user: User
  /** What was chosen among the actions of the message. */
  form_data?: object
}

export class CommandHandlers {
  #outlook: Outlook
  /** By app. */
  #patience: Patience
  constructor(outlook: Outlook) {
    this.#outlook = outlook
    this.#patience = new Patience(outlook.clock)
  }

  /**
   * Asks the app's handler what to make of a message; an empty object leaves it as it is.
   *
   * @throws ChatError CustomCommandEndpointMissingError (44), CustomCommandEndpointCallError (45) [CMD-9]
   */
  async call(app: App, command: string, call: CommandCall): Promise<Changed> {
    const address = app.settings.custom_action_handler_url
    if (address === '')
      throw new ChatError('CustomCommandEndpointMissingError', `nobody is set up to run the command ${command}`)
    if (!this.#patience.mayAsk(app.id)) throw failed(command, 'it failed too often and is left alone for a while')
    try {
      const changed = await this.#ask(app, address.replaceAll('{type}', encodeURIComponent(command)), call)
      this.#patience.answered(app.id)
      return changed
    } catch (error) {
      this.#patience.failed(app.id)
      if (error instanceof OutsideError || error instanceof ChatError) throw failed(command, error.message, error)
      throw error
    }
  }

  async #ask(app: App, url: string, call: CommandCall): Promise<Changed> {
    const body = JSON.stringify(call)
    const answer = await fetchOutside(this.#outlook, url, {
      body,
      headers: signedHeaders(app, body),
      timeLimitMs: TIME_LIMIT_MS,
      sizeLimitBytes: SIZE_LIMIT_BYTES,
    })
    if (answer.status < 200 || answer.status > 299) throw new OutsideError('unreachable', `status ${answer.status}`)
    const text = answer.body.toString().trim()
    if (text === '') return {}
    const said = parseJson(text, 'the answer')
    checkAnswer.check(said)
    return applied((said as { message?: Changed }).message ?? {})
  }
}

/** Who wrote it, where and when is not for a handler to say. */
function applied(changed: Changed): Changed {
  const isApplied = (field: string) => Object.hasOwn(Changed.properties, field) || !messageFields.has(field)
  return Object.fromEntries(Object.entries(changed).filter(([field]) => isApplied(field)))
}

function failed(command: string, why: string, cause?: unknown): ChatError {
  return new ChatError('CustomCommandEndpointCallError', `the handler of the command ${command} failed: ${why}`, {
    cause,
  })
}
