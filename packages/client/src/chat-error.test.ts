import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { answeredError, ChatError, type ClientCode, type GenericCode } from './chat-error.ts'

const answered = (code: number) => answeredError({ code, message: 'SendMessage failed', StatusCode: 400 }, 400)

function is(code: number, kind: string | undefined, retry: boolean) {
  const error = answered(code)
  assert.deepEqual([error.kind, error.retry], [kind, retry])
}

describe('an error answer', () => {
  it('[ERR-1] with a code has the code and the message in its text', () => {
    assert.equal(answered(4).message, 'error code 4: SendMessage failed')
  })

  it('[ERR-2] without a code has the status in its text', () => {
    assert.equal(answeredError('<html>', 502).message, 'error HTTP code: 502')
  })

  it('[HTTP-17] without a code is a bad request from 400 to 499, and a bad response otherwise', () => {
    const codes = [399, 400, 499, 500].map((status) => answeredError('<html>', status).code)
    assert.deepEqual(codes, ['ERR_BAD_RESPONSE', 'ERR_BAD_REQUEST', 'ERR_BAD_REQUEST', 'ERR_BAD_RESPONSE'])
  })

  it('[ERR-3] has code, status and the answer, so that callers need not parse its text', () => {
    const body = { code: 17, message: 'no', StatusCode: 403 }
    const error = answeredError(body, 403, { limit: 10, remaining: 9, reset: 1 })
    assert.ok(error instanceof ChatError && error instanceof Error)
    assert.deepEqual([error.code, error.status, error.response], [17, 403, body])
    assert.deepEqual(error.rateLimit, { limit: 10, remaining: 9, reset: 1 })
  })
})

describe('the catalogue', () => {
  it('[ERR-4] -1 is InternalSystemError and retryable', () => is(-1, 'InternalSystemError', true))
  it('[ERR-5] 2 is AccessKeyError and not retryable', () => is(2, 'AccessKeyError', false))
  it('[ERR-6] 3 is AuthenticationFailedError and retryable', () => is(3, 'AuthenticationFailedError', true))
  it('[ERR-7] 4 is InputError and not retryable', () => is(4, 'InputError', false))
  it('[ERR-8] 6 is DuplicateUsernameError and not retryable', () => is(6, 'DuplicateUsernameError', false))
  it('[ERR-9] 9 is RateLimitError and retryable', () => is(9, 'RateLimitError', true))
  it('[ERR-10] 16 is DoesNotExistError and not retryable', () => is(16, 'DoesNotExistError', false))
  it('[ERR-11] 17 is NotAllowedError and not retryable', () => is(17, 'NotAllowedError', false))
  it('[ERR-12] 18 is EventNotSupportedError and not retryable', () => is(18, 'EventNotSupportedError', false))
  it('[ERR-13] 19 is ChannelFeatureNotSupportedError and not retryable', () =>
    is(19, 'ChannelFeatureNotSupportedError', false))
  it('[ERR-14] 20 is MessageTooLongError and not retryable', () => is(20, 'MessageTooLongError', false))
  it('[ERR-15] 21 is MultipleNestingLevelError and not retryable', () => is(21, 'MultipleNestingLevelError', false))
  it('[ERR-16] 22 is PayloadTooBigError and not retryable', () => is(22, 'PayloadTooBigError', false))
  it('[ERR-17] 23 is RequestTimeoutError and retryable', () => is(23, 'RequestTimeoutError', true))
  it('[ERR-18] 24 is MaxHeaderSizeExceededError and not retryable', () => is(24, 'MaxHeaderSizeExceededError', false))
  it('[ERR-19] 40 is AuthErrorTokenExpired', () => is(40, 'AuthErrorTokenExpired', false))
  it('[ERR-20] 41 is AuthErrorTokenNotValidYet', () => is(41, 'AuthErrorTokenNotValidYet', false))
  it('[ERR-21] 42 is AuthErrorTokenUsedBeforeIssuedAt', () => is(42, 'AuthErrorTokenUsedBeforeIssuedAt', false))
  it('[ERR-22] 43 is AuthErrorTokenSignatureInvalid', () => is(43, 'AuthErrorTokenSignatureInvalid', false))
  it('[ERR-23] 44 is CustomCommandEndpointMissingError and not retryable', () =>
    is(44, 'CustomCommandEndpointMissingError', false))
  it('[ERR-24] 45 is CustomCommandEndpointCallError and retryable', () =>
    is(45, 'CustomCommandEndpointCallError', true))
  it('[ERR-25] 46 is ConnectionIDNotFoundError and not retryable', () => is(46, 'ConnectionIDNotFoundError', false))
  it('[ERR-26] 60 is CoolDownError and retryable', () => is(60, 'CoolDownError', true))
  it('[ERR-27] 69 is ErrWrongRegion and not retryable', () => is(69, 'ErrWrongRegion', false))
  it('[ERR-28] 70 is ErrQueryChannelPermissions and not retryable', () => is(70, 'ErrQueryChannelPermissions', false))
  it('[ERR-29] 71 is ErrTooManyConnections and retryable', () => is(71, 'ErrTooManyConnections', true))
  it('[ERR-30] 99 is AppSuspendedError and not retryable', () => is(99, 'AppSuspendedError', false))
  it('[ERR-31] the retry flags of 40 to 43 are false', () => {
    for (const code of [40, 41, 42, 43]) assert.equal(answered(code).retry, false)
  })

  it('a call without an answer, or without one of the server, is retryable; an aborted or refused one is not', () => {
    const retried = (code: GenericCode | ClientCode) => new ChatError('no', { code }).retry
    assert.deepEqual((['ERR_NETWORK', 'ECONNABORTED', 'ERR_BAD_RESPONSE'] as const).map(retried), [true, true, true])
    assert.deepEqual((['ERR_CANCELED', 'ERR_BAD_REQUEST', 'CLIENT_NO_USER'] as const).map(retried), [
      false,
      false,
      false,
    ])
  })

  it('[ERR-32] what is not in the catalogue is not retryable; 5 and 73 are in it, as not retryable', () => {
    is(5, 'AuthenticationError', false)
    is(73, 'MessageModerationFailed', false)
    is(12345, undefined, false)
  })
})
