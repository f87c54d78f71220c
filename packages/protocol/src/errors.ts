/** Every error the server answers with. Codes are part of the wire contract and are never reused [ERR-4…ERR-34]. */
export const errorKinds = {
  InternalSystemError: { code: -1, status: 500, retry: true },
  AccessKeyError: { code: 2, status: 401, retry: false },
  AuthenticationFailedError: { code: 3, status: 401, retry: true },
  InputError: { code: 4, status: 400, retry: false },
  AuthenticationError: { code: 5, status: 401, retry: false },
  DuplicateUsernameError: { code: 6, status: 400, retry: false },
  RateLimitError: { code: 9, status: 429, retry: true },
  DoesNotExistError: { code: 16, status: 404, retry: false },
  NotAllowedError: { code: 17, status: 403, retry: false },
  EventNotSupportedError: { code: 18, status: 400, retry: false },
  ChannelFeatureNotSupportedError: { code: 19, status: 400, retry: false },
  MessageTooLongError: { code: 20, status: 400, retry: false },
  MultipleNestingLevelError: { code: 21, status: 400, retry: false },
  PayloadTooBigError: { code: 22, status: 413, retry: false },
  RequestTimeoutError: { code: 23, status: 408, retry: true },
  MaxHeaderSizeExceededError: { code: 24, status: 431, retry: false },
  AuthErrorTokenExpired: { code: 40, status: 401, retry: false },
  AuthErrorTokenNotValidYet: { code: 41, status: 401, retry: false },
  AuthErrorTokenUsedBeforeIssuedAt: { code: 42, status: 401, retry: false },
  AuthErrorTokenSignatureInvalid: { code: 43, status: 401, retry: false },
  CustomCommandEndpointMissingError: { code: 44, status: 400, retry: false },
  CustomCommandEndpointCallError: { code: 45, status: 400, retry: true },
  ConnectionIDNotFoundError: { code: 46, status: 400, retry: false },
  CoolDownError: { code: 60, status: 403, retry: true },
  ErrWrongRegion: { code: 69, status: 403, retry: false },
  ErrQueryChannelPermissions: { code: 70, status: 403, retry: false },
  ErrTooManyConnections: { code: 71, status: 429, retry: true },
  MessageModerationFailed: { code: 73, status: 400, retry: false },
  AppSuspendedError: { code: 99, status: 403, retry: false },
} as const

export type ErrorKind = keyof typeof errorKinds

/** The body of every failed call; `StatusCode` equals the HTTP status [messaging.md 1.7]. */
export interface ErrorBody {
  code: number
  /** `<OperationName> failed with error: "<detail>"` */
  message: string
  StatusCode: number
  duration: string
  more_info: string
  details: number[]
  /** Field path → what is wrong with it; only for validation errors. */
  exception_fields?: Record<string, string>
  unrecoverable?: boolean
}

const kinds = Object.keys(errorKinds) as ErrorKind[]

/** The name of a code, or undefined for one that is not in the catalogue. */
export function errorKindOf(code: unknown): ErrorKind | undefined {
  return kinds.find((kind) => errorKinds[kind].code === code)
}

/** Whether the same call may work later as it is. An unknown code never does [ERR-32]. */
export function isRetryable(code: unknown): boolean {
  const kind = errorKindOf(code)
  return kind !== undefined && errorKinds[kind].retry
}
