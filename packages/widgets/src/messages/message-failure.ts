import type { LocalMessage } from '@parley/client'
import { errorKinds } from '@parley/protocol/errors'
import type { TextKey } from '../i18n/translate.ts'

/** The text under a message that was not sent, and whether a click sends it again. */
export interface Failure {
  text: TextKey
  retry: boolean
}

/** No answer came: the request may not even have been sent. */
export function wasCutOff({ status, error }: LocalMessage): boolean {
  return status === 'failed' && error?.code === 'ERR_NETWORK'
}

/**
 * A refusal for lack of rights offers no retry; every other failure does [TOA-10…12, TOA-42]. A message the server
 * answered with type `error` was never stored; if moderation stopped it, the answer contains the reason [TOA-40,
 * MOD2-14].
 */
export function failureOf({ type, status, error, moderation }: LocalMessage): Failure | undefined {
  if (type === 'error') return { text: moderation ? 'message.moderated' : 'message.unsent', retry: false }
  if (status !== 'failed') return undefined
  if (error?.code === errorKinds.MessageModerationFailed.code) return { text: 'message.moderated', retry: false }
  if (error?.status === 403) {
    return { text: 'message.unauthorized', retry: false }
  }
  return { text: 'message.failed', retry: true }
}
