/**
 * The app's own server, which runs the commands that the app made up.
 * @see administration.md 4.3, 13.3
 */
import type { Message } from '@parley/protocol/messages'
import type { User } from '@parley/protocol/users'
import type { App } from '../../chat/apps/app.ts'
import { askAboutMessage, type Changed } from '../../chat/messages/ask-about-message.ts'
import { ChatError } from '../../platform/chat-error.ts'
import { CircuitBreaker } from '../../platform/outbound/circuit-breaker.ts'
import { OutboundError, type OutboundPolicy } from '../../platform/outbound/outbound-fetch.ts'

/** A sender waits for it. */
const TIME_LIMIT_MS = 1_000

interface CommandCall {
  message: Message
  user: User
  /** What was chosen among the actions of the message. */
  form_data?: object
}

export class CommandHandlers {
  #policy: OutboundPolicy
  /** By app. */
  #breaker: CircuitBreaker
  constructor(policy: OutboundPolicy) {
    this.#policy = policy
    this.#breaker = new CircuitBreaker(policy.clock)
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
    if (!this.#breaker.allowsCall(app.id)) throw failed(command, 'it failed too often and is left alone for a while')
    try {
      const url = address.replaceAll('{type}', encodeURIComponent(command))
      const changed = await askAboutMessage(this.#policy, app, url, { ...call }, TIME_LIMIT_MS)
      this.#breaker.answered(app.id)
      return changed
    } catch (error) {
      this.#breaker.failed(app.id)
      if (error instanceof OutboundError || error instanceof ChatError) throw failed(command, error.message, error)
      throw error
    }
  }
}

function failed(command: string, why: string, cause?: unknown): ChatError {
  return new ChatError('CustomCommandEndpointCallError', `the handler of the command ${command} failed: ${why}`, {
    cause,
  })
}
