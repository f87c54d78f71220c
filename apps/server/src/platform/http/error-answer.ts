import { type ErrorBody, errorKinds } from '@parley/protocol/errors'
import { ChatError } from '../chat-error.ts'

/** Every failed call's body [messaging.md 1.7]. */
export function errorAnswer(operation: string, error: unknown, duration: string): ErrorBody {
  if (!(error instanceof ChatError)) {
    const { code, status } = errorKinds.InternalSystemError
    return body(code, status, operation, 'internal error; the server has written down what happened', duration)
  }
  return {
    ...body(error.code, error.status, operation, error.message, duration),
    ...(error.fields && { exception_fields: error.fields }),
  }
}

/** Whether an error is a fault of the server, which belongs in the log. */
export function isFault(error: unknown): boolean {
  return !(error instanceof ChatError) || error.kind === 'AuthenticationFailedError'
}

function body(code: number, status: number, operation: string, detail: string, duration: string): ErrorBody {
  return {
    code,
    message: `${operation} failed with error: "${detail}"`,
    StatusCode: status,
    duration,
    more_info: '/docs',
    details: [],
  }
}

/** Milliseconds as a text with a unit. */
export function durationSince(start: number): string {
  return `${(performance.now() - start).toFixed(2)}ms`
}
