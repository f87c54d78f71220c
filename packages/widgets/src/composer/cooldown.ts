import type { ChannelState } from '@parley/client'

/**
 * When the reader may send again, in milliseconds since 1970; 0 for now.
 * Counted from the reader's newest message, so that it survives a reload;
 * whoever may skip slow mode never waits [CHN-52].
 */
export function cooledAt(state: ChannelState, me: string | undefined): number {
  const seconds = state.data.cooldown ?? 0
  if (seconds <= 0 || state.data.own_capabilities?.includes('skip-slow-mode')) return 0
  const newest = state.sets
    .find(({ latest }) => latest)
    ?.messages.findLast(({ user, status, type }) => user.id === me && status !== 'failed' && type === 'regular')
  return newest ? newest.created_at.getTime() + seconds * 1_000 : 0
}

/** Whole seconds still to wait, never below 0 and never above the channel's own number. */
export function secondsLeft(until: number, now: number, cooldown: number): number {
  return Math.min(cooldown, Math.max(0, Math.ceil((until - now) / 1_000)))
}
