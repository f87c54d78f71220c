import { type ErrorBody, type ErrorKind, errorKindOf, isRetryable } from '@parley/protocol/errors'

/** The generic codes of a call whose answer has no chat code [HTTP-17]. */
export type GenericCode = 'ERR_NETWORK' | 'ECONNABORTED' | 'ERR_CANCELED' | 'ERR_BAD_REQUEST' | 'ERR_BAD_RESPONSE'

/** Thrown by the client itself, before any request [client.md 6]. */
export type ClientCode =
  | 'CLIENT_USER_ID_MISSING'
  | 'CLIENT_OTHER_USER_CONNECTED'
  | 'CLIENT_SERVER_SIDE_DOES_NOT_CONNECT'
  | 'CLIENT_CONNECT_TWICE'
  | 'CLIENT_CONNECTION_FAILED'
  | 'CLIENT_CONNECTION_CLOSED'
  | 'CLIENT_NO_USER'
  | 'CLIENT_TOKEN_EMPTY'
  | 'CLIENT_TOKEN_TYPE'
  | 'CLIENT_TOKEN_USER'
  | 'CLIENT_TOKEN_MISSING'
  | 'CLIENT_TOKEN_LOAD_FAILED'
  | 'CLIENT_SERVER_ONLY'
  | 'CLIENT_WRONG_ENTRY'
  | 'CLIENT_BASE_URL_MISSING'
  | 'CLIENT_CHANNEL_TYPE'
  | 'CLIENT_CHANNEL_ID'
  | 'CLIENT_CHANNEL_ID_MISSING'
  | 'CLIENT_CHANNEL_NOT_INITIALIZED'
  | 'CLIENT_CHANNEL_DISCONNECTED'
  | 'CLIENT_MEMBERS_MISSING'
  | 'CLIENT_MEMBER_ID_MISSING'
  | 'CLIENT_MESSAGE_ID_MISSING'
  | 'CLIENT_REACTION_INCOMPLETE'
  | 'CLIENT_MARK_UNREAD_TOO_OLD'
  | 'CLIENT_DELETE_OPTION'
  | 'CLIENT_PIN_EXPIRY'
  | 'CLIENT_REVOCATION_DATE'
  | 'CLIENT_USERS_ENTRY'
  | 'CLIENT_UPLOAD_COUNT'
  | 'CLIENT_UPLOAD_PERMISSION'
  | 'CLIENT_UPLOAD_SIZE'
  | 'CLIENT_UPLOAD_TYPE'
  | 'CLIENT_UPLOADS_UNFINISHED'
  | 'CLIENT_CAMPAIGN_ID_MISSING'
  | 'CLIENT_DEVICE_LATE'
  | 'CLIENT_EXPORT_TOO_MANY'
  | 'CLIENT_POLL_CLOSED'
  | 'CLIENT_POLL_MISSING'
  | 'CLIENT_REPORT_ID_MISSING'
  | 'CLIENT_SEARCH_OFFSET_WITH_NEXT'
  | 'CLIENT_SEARCH_QUERY'
  | 'CLIENT_SEGMENT_ID_MISSING'
  | 'CLIENT_THREAD_FIELD'

/** The values of the server's rate-limit headers [messaging.md 1.8]. */
export interface RateLimit {
  limit: number
  remaining: number
  /** Unix seconds at which the window ends. */
  reset: number
}

/** Errors of the network or of a proxy before the server may be temporary. */
const mayPass: readonly unknown[] = ['ERR_NETWORK', 'ECONNABORTED', 'ERR_BAD_RESPONSE'] satisfies GenericCode[]

/** Every expected failure: from the server, from the network, or from the client itself [ERR-3]. */
export class ChatError extends Error {
  override readonly name = 'ChatError'
  /** The chat code (a number), a generic code, or a `CLIENT_…` code. */
  readonly code?: number | GenericCode | ClientCode
  /** The HTTP status, if there was an answer. */
  readonly status?: number
  /** The name of the chat code, if it is in the catalogue. */
  readonly kind?: ErrorKind
  /** The unchanged answer. */
  readonly response?: unknown
  readonly rateLimit?: RateLimit
  /** Whether the same call may succeed later. */
  readonly retry: boolean
  /** True when the socket itself failed, without an error frame of the server. */
  readonly transport: boolean = false
  constructor(message: string, { cause, ...details }: ChatErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause })
    Object.assign(this, details)
    const { code } = details
    this.kind = errorKindOf(code)
    this.retry = isRetryable(code) || mayPass.includes(code)
  }
}

export interface ChatErrorDetails {
  code?: number | GenericCode | ClientCode
  status?: number
  response?: unknown
  rateLimit?: RateLimit
  transport?: boolean
  cause?: unknown
}

/** The error of a failed answer, or of an error frame of the socket [ERR-1, ERR-2]. */
export function answeredError(body: unknown, status: number, rateLimit?: RateLimit): ChatError {
  if (isErrorBody(body)) {
    const details = { code: body.code, status: status || body.StatusCode, response: body, rateLimit }
    return new ChatError(`error code ${body.code}: ${body.message}`, details)
  }
  const code = status >= 400 && status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE'
  return new ChatError(`error HTTP code: ${status}`, { code, status, response: body, rateLimit })
}

export function clientError(code: ClientCode, message: string, cause?: unknown): ChatError {
  return new ChatError(message, { code, cause })
}

function isErrorBody(body: unknown): body is ErrorBody {
  return typeof (body as ErrorBody | null | undefined)?.code === 'number'
}
