import type { Channel, ChannelStateAnswer, User } from '@parley/client'
import { splitCid } from '@parley/protocol/cid'
import { type ReactNode, useState } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { partnerOf } from '../chat/channel-facts.ts'
import { FailedState, PlaceState } from '../chat/PlaceState.tsx'
import { personName, seenName } from '../chat/seen-name.ts'
import { useClient } from '../chat/use-client.ts'
import { useTranslation } from '../i18n/translate.ts'
import { rove } from '../roving.ts'
import { Marked } from '../search/Marked.tsx'
import { type FoundMessage, MessageHit } from '../search/MessageHit.tsx'
import { useSearch } from '../search/use-search.ts'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { SearchIcon } from '../theme/icons.tsx'

/** Rows of the skeleton. */
const SKELETON_ROWS = 5

export interface FoundProps {
  text: string
  /** the conversations of the list, in which people are found */
  channels: readonly Channel[]
  onSelect: (channel: Channel) => void
  onMessage?: (message: FoundMessage) => void
}

const everywhere = {}

/** What was found for a text in place of the list: conversations, people one talks with, and messages. */
export default function Found({ text, channels, onSelect, onMessage }: FoundProps) {
  const { t } = useTranslation()
  const client = useClient()
  const query = text.trim()
  const { state, waiting, now, more } = useSearch(text, everywhere)
  const talksWith = (user: User) => channels.find((one) => partnerOf(one.snapshot(), client.userID)?.id === user.id)
  const people = state.users.flatMap((user) => {
    const channel = talksWith(user)
    return channel ? [{ user, channel }] : []
  })
  const messages = onMessage ? state.messages : []
  // One tab stop: what was focused last, else the first.
  const [focused, setFocused] = useState<string>()
  const found = [
    state.channels.map(cidOf),
    people.map(({ user }) => user.id),
    messages.map(({ message }) => message.id),
  ]
  const keys = found.flat()
  const stop = keys.find((key) => key === focused) ?? keys[0]
  const stops = (key: string) => ({ tabIndex: key === stop ? 0 : -1, onFocus: () => setFocused(key) }) as const
  const busy = state.searching || waiting
  const open = ({ channel }: ChannelStateAnswer) => {
    const { type, id } = splitCid(channel.cid)
    onSelect(client.channel(type, id))
  }
  if (keys.length === 0) {
    if (busy) return <Skeleton kind="rows" count={SKELETON_ROWS} label={t('search.searching')} />
    if (state.error) return <FailedState title={t('search.failed')} error={state.error} onRetry={now} />
    return (
      <PlaceState icon={<SearchIcon />} title={t('search.nothing', { query })}>
        <p className="chat-state-text">{t('search.nothing.hint')}</p>
      </PlaceState>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows go through all results
    <div className="chat-found" aria-busy={busy} onKeyDown={(event) => rove(event, '.chat-hit', 'vertical')}>
      {state.channels.length > 0 && (
        <Part title={t('search.channels')}>
          {state.channels.map((found) => (
            <li key={found.channel.cid}>
              <Named
                id={found.channel.cid}
                name={seenName(found.channel.name) ?? found.channel.cid}
                image={found.channel.image}
                query={query}
                onSelect={() => open(found)}
                {...stops(found.channel.cid)}
              />
            </li>
          ))}
        </Part>
      )}
      {people.length > 0 && (
        <Part title={t('search.people')}>
          {people.map(({ user, channel }) => (
            <li key={user.id}>
              <Named
                id={user.id}
                name={personName(user)}
                image={user.image}
                query={query}
                onSelect={() => onSelect(channel)}
                {...stops(user.id)}
              />
            </li>
          ))}
        </Part>
      )}
      {messages.length > 0 && (
        <Part title={t('search.messages')}>
          {messages.map(({ message }) => (
            <li key={message.id}>
              <MessageHit
                message={message}
                query={query}
                placed
                current={false}
                onSelect={() => onMessage?.(message)}
                {...stops(message.id)}
              />
            </li>
          ))}
        </Part>
      )}
      {onMessage && (state.error || state.hasMore) && (
        <p className="chat-channels-note">
          {state.error && t('search.failed')}
          <button type="button" className="chat-button" data-kind="quiet" onClick={state.hasMore ? more : now}>
            {t(state.error ? 'retry' : 'more')}
          </button>
        </p>
      )}
    </div>
  )
}

const cidOf = ({ channel }: ChannelStateAnswer) => channel.cid

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="chat-search-heading">{title}</h3>
      <ul className="chat-hits">{children}</ul>
    </section>
  )
}

interface NamedProps {
  id: string
  name: string
  image?: string
  query: string
  tabIndex: 0 | -1
  onFocus: () => void
  onSelect: () => void
}

function Named({ id, name, image, query, onSelect, ...focus }: NamedProps) {
  return (
    <button type="button" className="chat-hit" data-kind="named" onClick={onSelect} {...focus}>
      <Avatar id={id} name={name} image={image} size="small" />
      <bdi className="chat-hit-name">
        <Marked text={name} query={query} />
      </bdi>
    </button>
  )
}
