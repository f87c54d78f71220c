import type { LocalMessage, MessageSet } from '@parley/client'

interface Loaded {
  sets: readonly MessageSet[]
}

/** The run of messages on screen; a jump switches to another one. */
export function currentSet({ sets }: Loaded): MessageSet | undefined {
  return sets.find((set) => set.current)
}

/** The run that ends with the newest message, on screen or not. */
export function latestSet({ sets }: Loaded): MessageSet | undefined {
  return sets.find((set) => set.latest)
}

export function newestMessage(loaded: Loaded): LocalMessage | undefined {
  return latestSet(loaded)?.messages.at(-1)
}
