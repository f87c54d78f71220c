import type { LocalMessage } from '@parley/client'
import { expect, it } from 'vitest'
import { failureOf } from './message-failure.ts'

const failed = (status: number, code: number | string) =>
  failureOf({ type: 'regular', status: 'failed', error: { status, code } } as unknown as LocalMessage)

it('[TOA-42] unauthorized is every 403, without a retry; every other failure can be retried', () => {
  for (const code of [17, 70, 'ERR_BAD_REQUEST'])
    expect(failed(403, code)).toEqual({ text: 'message.unauthorized', retry: false })
  for (const [status, code] of [
    [0, 'ERR_NETWORK'],
    [400, 4],
    [401, 43],
    [404, 16],
    [429, 9],
    [500, -1],
  ] as const)
    expect(failed(status, code), String(status)).toEqual({ text: 'message.failed', retry: true })
})

it('[TOA-12] [TOA-40] a message that can never be sent has its own text, and one that is sending or sent has none', () => {
  expect(failed(400, 73)).toEqual({ text: 'message.moderated', retry: false })
  const stands = (fields: object) => failureOf({ type: 'regular', ...fields } as LocalMessage)
  expect(stands({ type: 'error', status: 'received' })).toEqual({ text: 'message.unsent', retry: false })
  const moderation = { action: 'remove', original_text: 'Contraband' }
  expect(stands({ type: 'error', status: 'received', moderation })).toEqual({ text: 'message.moderated', retry: false })
  expect([stands({ status: 'sending' }), stands({ status: 'received' })]).toEqual([undefined, undefined])
})
