import { useContext, useState, useSyncExternalStore } from 'react'
import { useClient } from '../chat/use-client.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import type { Elements } from '../elements.ts'
import { givenTexts } from '../i18n/given-texts.ts'
import { languages } from '../i18n/languages.ts'
import { type Hours, localeWith } from '../i18n/locale-with.ts'
import { timeOfDay } from '../i18n/row-time.ts'
import { useTranslate, useTranslation } from '../i18n/translate.ts'
import { useNotices } from '../notices/use-notices.ts'
import { useOpenShortcuts } from '../shortcuts/use-shortcuts.ts'
import { DoNotDisturb } from './DoNotDisturb.tsx'
import { defaults, type PreferenceValues } from './preferences.ts'
import { HostPreferencesContext, usePreferences } from './use-preferences.ts'

/** The user's preferences. Each applies at once, and can be reset. */
export default function PreferencesDialog({ onClose }: { onClose: () => void }) {
  const { t, language: spoken } = useTranslation()
  const [values, preferences] = usePreferences()
  const kept = useContext(HostPreferencesContext)
  const openShortcuts = useOpenShortcuts()
  const all = [...new Set<string>([...languages, ...Object.keys(givenTexts.snapshot())])]
  /** the former values before all were changed at once */
  const [before, setBefore] = useState<PreferenceValues>()
  const turnTo = (wanted: PreferenceValues) => {
    setBefore(values)
    preferences.set(wanted)
  }
  const theme = kept.onTheme ? kept.theme : (values.theme ?? kept.theme)
  const language = (kept.onLanguage ? kept.language : (values.language ?? kept.language)) ?? ''
  return (
    <ChatDialog title={t('preferences.title')} onClose={onClose}>
      <Group title={t('preferences.looks')}>
        <Select
          label={t('preferences.theme')}
          value={theme}
          options={[
            ['light', t('preferences.theme.light')],
            ['dark', t('preferences.theme.dark')],
            ['system', t('preferences.theme.system')],
          ]}
          onChange={(theme) => (kept.onTheme ? kept.onTheme(theme) : preferences.set({ theme }))}
        />
        <Select
          label={t('preferences.language')}
          value={language}
          options={[['', t('preferences.language.own')], ...all.map((one) => [one, nameOf(one)] as const)]}
          onChange={(code) => {
            const language = code || undefined
            if (kept.onLanguage) kept.onLanguage(language)
            else preferences.set({ language })
          }}
        />
        <Select
          label={t('preferences.hours')}
          value={values.hours ?? ''}
          options={[['', t('preferences.hours.own')], ...hours.map((one) => [one, afternoonIn(spoken, one)] as const)]}
          onChange={(wanted) => preferences.set({ hours: wanted || undefined })}
        />
        <Select
          label={t('preferences.density')}
          value={values.density}
          options={[
            ['comfortable', t('preferences.density.comfortable')],
            ['compact', t('preferences.density.compact')],
          ]}
          onChange={(density) => preferences.set({ density })}
        />
        <Select
          label={t('preferences.messages')}
          value={values.messages}
          options={[
            ['bubbles', t('preferences.messages.bubbles')],
            ['flat', t('preferences.messages.flat')],
          ]}
          onChange={(messages) => preferences.set({ messages })}
        />
        <Select
          label={t('preferences.pictures')}
          value={values.pictures}
          options={[
            ['auto', t('preferences.pictures.auto')],
            ['full', t('preferences.pictures.full')],
            ['asked', t('preferences.pictures.asked')],
          ]}
          onChange={(pictures) => preferences.set({ pictures })}
        />
        <Switch
          label={t('preferences.previews')}
          on={values.previews}
          onChange={(previews) => preferences.set({ previews })}
        />
        <Switch label={t('preferences.gifs')} on={values.gifs} onChange={(gifs) => preferences.set({ gifs })} />
      </Group>
      <Group title={t('preferences.writing')}>
        <Switch
          label={t('preferences.enterSends')}
          on={values.enterSends}
          onChange={(enterSends) => preferences.set({ enterSends })}
        />
        <Switch
          label={t('preferences.smileys')}
          on={values.smileys}
          onChange={(smileys) => preferences.set({ smileys })}
        />
        <Switch label={t('preferences.stays')} on={values.stays} onChange={(stays) => preferences.set({ stays })} />
        <Switch
          label={t('preferences.shortcuts')}
          on={values.shortcuts}
          onChange={(shortcuts) => preferences.set({ shortcuts })}
        />
        <button type="button" className="chat-button" data-kind="quiet" onClick={openShortcuts}>
          {t('preferences.shortcuts.show')}
        </button>
      </Group>
      <Group title={t('preferences.news')}>
        <DoNotDisturb />
        <Select
          label={t('preferences.reading')}
          value={values.reading}
          options={[
            ['seen', t('preferences.reading.seen')],
            ['byHand', t('preferences.reading.byHand')],
          ]}
          onChange={(reading) => preferences.set({ reading })}
        />
        <Select
          label={t('preferences.announcements')}
          value={values.announcements}
          options={[
            ['all', t('preferences.announcements.all')],
            ['mentions', t('preferences.announcements.mentions')],
            ['off', t('preferences.announcements.off')],
          ]}
          onChange={(announcements) => preferences.set({ announcements })}
        />
        <Switch
          label={t('preferences.authors')}
          on={values.authors}
          onChange={(authors) => preferences.set({ authors })}
        />
        <Switch label={t('preferences.sent')} on={values.sent} onChange={(sent) => preferences.set({ sent })} />
        <Switch
          label={t('preferences.typists')}
          on={values.typists}
          onChange={(typists) => preferences.set({ typists })}
        />
        <Switch label={t('preferences.sounds')} on={values.sounds} onChange={(sounds) => preferences.set({ sounds })} />
        <Select
          label={t('preferences.voices')}
          value={values.voices}
          options={[
            ['direct', t('preferences.voices.direct')],
            ['all', t('preferences.voices.all')],
            ['off', t('preferences.voices.off')],
          ]}
          onChange={(voices) => preferences.set({ voices })}
        />
      </Group>
      <Privacy />
      <div className="chat-dialog-buttons">
        {before && (
          <button type="button" className="chat-button" onClick={() => turnTo(before)}>
            {t('undo')}
          </button>
        )}
        <button type="button" className="chat-button" onClick={() => turnTo(defaults)}>
          {t('preferences.reset')}
        </button>
        <button type="button" className="chat-button" data-kind="primary" onClick={onClose}>
          {t('close')}
        </button>
      </div>
    </ChatDialog>
  )
}

type Told = 'typing_indicators' | 'read_receipts'

/** The server stores these: they apply on every device. */
function Privacy() {
  const t = useTranslate()
  const client = useClient()
  const notices = useNotices()
  const settings = () => client.user?.privacy_settings
  const saved = useSyncExternalStore(client.connection.subscribe, settings, settings)
  const [wanted, setWanted] = useState<Partial<Record<Told, boolean>>>({})
  const isOn = (what: Told) => wanted[what] ?? saved?.[what]?.enabled ?? true
  const tell = async (what: Told, enabled: boolean) => {
    setWanted((before) => ({ ...before, [what]: enabled }))
    const privacy_settings = {
      typing_indicators: { enabled: isOn('typing_indicators') },
      read_receipts: { enabled: isOn('read_receipts') },
      [what]: { enabled },
    }
    try {
      await client.partialUpdateUser({ id: client.userID ?? '', set: { privacy_settings } })
    } catch (error) {
      setWanted((before) => ({ ...before, [what]: !enabled }))
      notices.failed('preferences.failed', error)
    }
  }
  return (
    <Group title={t('preferences.privacy')}>
      <Switch
        label={t('preferences.typing')}
        on={isOn('typing_indicators')}
        onChange={(on) => void tell('typing_indicators', on)}
      />
      <Switch
        label={t('preferences.receipts')}
        on={isOn('read_receipts')}
        onChange={(on) => void tell('read_receipts', on)}
      />
    </Group>
  )
}

function Group({ title, children }: { title: string; children: Elements }) {
  return (
    <fieldset className="chat-preferences">
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}

interface SelectProps<Value extends string> {
  label: string
  value: Value
  options: readonly (readonly [value: Value, text: string])[]
  onChange: (value: Value) => void
}

function Select<Value extends string>({ label, value, options, onChange }: SelectProps<Value>) {
  return (
    <label className="chat-preference">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

function Switch({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label className="chat-preference">
      <span>{label}</span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={on}
        checked={on}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}

const hours: readonly Hours[] = ['h12', 'h23']

/** The hour formats are shown by an example: "2:05 PM", "14:05". */
function afternoonIn(language: string, hours: Hours): string {
  return timeOfDay(localeWith(language, hours), new Date(2026, 0, 1, 14, 5))
}

/** A language in its own name. Portuguese is that of Brazil, which a reader from Portugal should know. */
function nameOf(language: string): string {
  const meant = language === 'pt' ? 'pt-BR' : language
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(meant) ?? language
  return name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1)
}
