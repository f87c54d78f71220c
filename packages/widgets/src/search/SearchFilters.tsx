import type { Channel } from '@parley/client'
import { useState } from 'react'
import { personName } from '../chat/seen-name.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { useTranslation } from '../i18n/translate.ts'
import { SenderField } from './SenderField.tsx'
import type { Wanted } from './search-place.ts'

export interface SearchFiltersProps {
  channel: Channel
  place: Wanted
  /** in all channels: then the sender may be any user, and is searched by name */
  everywhere: boolean
  onChange: (wanted: Wanted) => void
}

/** Search filters: messages that concern the reader, the sender, and the date. */
export function SearchFilters({ channel, place, everywhere, onChange }: SearchFiltersProps) {
  const { t, language } = useTranslation()
  const me = useClient().userID
  const people = Object.values(useChannelState(channel).members)
    .flatMap(({ user }) => (user && user.id !== me ? [{ id: user.id, name: personName(user) }] : []))
    .sort((a, b) => a.name.localeCompare(b.name, language))
  // If the address contains filters, they are shown.
  const [isNarrowed] = useState(place.from !== undefined || place.since !== undefined || place.until !== undefined)
  const isMine = place.from !== undefined && place.from === me
  return (
    <>
      <fieldset className="chat-search-where" aria-label={t('search.filters')}>
        <Chip text={t('search.mine')} on={isMine} onTurn={() => onChange({ from: isMine ? undefined : me })} />
        <Chip
          text={t('search.mentions')}
          on={place.mentions === true}
          onTurn={() => onChange({ mentions: !place.mentions || undefined })}
        />
        <Chip
          text={t('search.files')}
          on={place.files === true}
          onTurn={() => onChange({ files: !place.files || undefined })}
        />
      </fieldset>
      <details className="chat-search-narrow" open={isNarrowed}>
        <summary>{t('search.narrow')}</summary>
        {everywhere ? (
          <SenderField from={place.from} onChoose={(from) => onChange({ from })} />
        ) : (
          <label>
            <span>{t('search.from')}</span>
            <select value={place.from ?? ''} onChange={(event) => onChange({ from: event.target.value || undefined })}>
              <option value="">{t('search.from.anybody')}</option>
              {me !== undefined && <option value={me}>{t('search.from.me')}</option>}
              {people.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          <span>{t('search.since')}</span>
          <input
            type="date"
            value={place.since ?? ''}
            max={place.until}
            onChange={(event) => onChange({ since: event.target.value || undefined })}
          />
        </label>
        <label>
          <span>{t('search.until')}</span>
          <input
            type="date"
            value={place.until ?? ''}
            min={place.since}
            onChange={(event) => onChange({ until: event.target.value || undefined })}
          />
        </label>
      </details>
    </>
  )
}

/** One toggle, or one of several. */
export function Chip({ text, on, onTurn }: { text: string; on: boolean; onTurn: () => void }) {
  return (
    <button type="button" className="chat-filter" aria-pressed={on} onClick={onTurn}>
      {text}
    </button>
  )
}
