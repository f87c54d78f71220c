import type { ChannelState, LocalMessage } from '@parley/client'

/**
 * When the reader may send again, in milliseconds since 1970; 0 for now.
 * Counted from the reader's newest message, in the channel or in a thread, so that it survives a reload;
 * a user who may skip slow mode never waits [CHN-52].
 */
export function cooledAt(state: ChannelState, me: string | undefined): number {
  const seconds = state.data.cooldown ?? 0
  if (seconds <= 0 || state.data.own_capabilities?.includes('skip-slow-mode')) return 0
  const posted = [state, ...Object.values(state.threads)].map(({ sets }) =>
    sets.find(({ latest }) => latest)?.messages.findLast((message) => message.user.id === me && counts(message)),
  )
  const newest = Math.max(0, ...posted.map((message) => message?.created_at.getTime() ?? 0))
  return newest > 0 ? newest + seconds * 1_000 : 0
}

/** A message visible only to its author starts no slow mode. */
function counts({ status, type }: LocalMessage): boolean {
  return status !== 'failed' && type !== 'ephemeral' && type !== 'error'
}

/** Whole seconds still to wait, never below 0 and never above the channel's own number. */
export function secondsLeft(until: number, now: number, cooldown: number): number {
  return Math.min(cooldown, Math.max(0, Math.ceil((until - now) / 1_000)))
}
