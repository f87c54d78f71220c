import type { Channel, LocalMessage } from '@parley/client'
import { useMemo, useState } from 'react'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { latestSet } from './loaded-sets.ts'
import type { MessageRow } from './message-rows.ts'
import type { ScrollEngine } from './scroll-engine.ts'
import { useScrollView } from './use-scroll-engine.ts'

interface MentionScene {
  channel: Channel
  engine: ScrollEngine
  rows: readonly MessageRow[]
  me: string | undefined
  /** Older messages were read before; undefined at the end, where there is nothing below. */
  since: Date | undefined
  mutedUserIds: ReadonlySet<string>
}

/** The first of the newest messages that mentions the reader and was not on screen yet. */
export function useMention({ channel, engine, rows, me, since, mutedUserIds }: MentionScene): LocalMessage | undefined {
  const latest = useChannelPart(channel, latestSet)
  const [seen] = useState({ to: 0 })
  const names = useMemo(
    () =>
      latest?.messages.filter(
        ({ user, type, shadowed, mentioned_users }) =>
          user.id !== me &&
          type !== 'deleted' &&
          !shadowed &&
          !mutedUserIds.has(user.id) &&
          mentioned_users.some(({ id }) => id === me),
      ) ?? [],
    [latest, me, mutedUserIds],
  )
  const id = useScrollView(engine, ({ last }) => {
    const shown = rows.find(({ key }) => key === last)?.message.created_at.getTime() ?? 0
    seen.to = Math.max(seen.to, shown)
    return names.find(({ created_at: at }) => since && at > since && at.getTime() > seen.to)?.id
  })
  return names.find((message) => message.id === id)
}
