import { type ErrorKind, errorKinds } from '@parley/protocol/errors'

/** Every expected refusal. Its message is the detail; the HTTP server prefixes the endpoint's name. */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  readonly kind: ErrorKind
  /** Field path → what is wrong with it. */
  readonly fields: Record<string, string> | undefined
  /** When the same call may succeed, where that is known. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    kind: ErrorKind,
    message: string,
    options?: ErrorOptions & { fields?: Record<string, string>; retryAfterSeconds?: number },
  ) {
    super(message, options)
    this.kind = kind
    this.fields = options?.fields
    this.retryAfterSeconds = options?.retryAfterSeconds
  }

  get code() {
    return errorKinds[this.kind].code
  }

  get status() {
    return errorKinds[this.kind].status
  }
}

/** Input that names the field it is about [messaging.md 1.7]. */
export function inputError(field: string, message: string): ChatError {
  return new ChatError('InputError', message, { fields: { [field]: message } })
}
