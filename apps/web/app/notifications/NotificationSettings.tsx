import { useEffect, useId, useState } from 'react'
import type { MessageKey } from '../i18n/catalogues.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { useSession } from '../session/use-session.ts'
import { noticeError } from '../ui/notices.tsx'
import { type Kind, kinds, type Standing, standingOf, turnOff, turnOn } from './device.ts'

/** A card for choosing when this device shows notifications of new messages. */
export function NotificationSettings({ publicKey }: { publicKey: string }) {
  const t = useTranslate()
  return (
    <section className="card">
      <div className="card-head">
        <h2>{t('notifications.title')}</h2>
        <p className="muted">{t('notifications.lead')}</p>
      </div>
      {kinds.map((kind) => (
        <NotificationSwitch key={kind} kind={kind} publicKey={publicKey} />
      ))}
    </section>
  )
}

function NotificationSwitch({ kind, publicKey }: { kind: Kind; publicKey: string }) {
  const t = useTranslate()
  const id = useId()
  const { user } = useSession()
  const [standing, setStanding] = useState<Standing>()
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    let current = true
    const look = () =>
      void standingOf(kind, user.id).then((found) => {
        if (current) setStanding(found)
      })
    look()
    // The browser's permission changes outside the page.
    addEventListener('focus', look)
    return () => {
      current = false
      removeEventListener('focus', look)
    }
  }, [kind, user.id])

  async function change(on: boolean) {
    if (busy) return
    setBusy(true)
    try {
      await (on ? turnOn(kind, user.id, publicKey) : turnOff(kind))
    } catch (error) {
      console.error(error)
      noticeError(t('notifications.failed'))
    }
    setStanding(await standingOf(kind, user.id))
    setBusy(false)
  }

  const can = standing !== undefined && !cannot.includes(standing)
  return (
    <label className="switch setting-switch" data-standing={standing}>
      <span className="setting-switch-words">
        <span id={`${id}name`}>{t(`notifications.${kind}`)}</span>
        <span id={`${id}about`}>{standing && t(aboutOf(kind, standing))}</span>
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-labelledby={`${id}name`}
        aria-describedby={`${id}about`}
        aria-busy={busy || undefined}
        disabled={!can}
        checked={standing === 'on'}
        aria-checked={standing === 'on'}
        onChange={(event) => void change(event.target.checked)}
      />
    </label>
  )
}

/** The states in which a switch would change nothing. */
const cannot: readonly Standing[] = ['unsupported', 'insecure', 'denied']

function aboutOf(kind: Kind, standing: Standing): MessageKey {
  if (standing === 'unsupported') return `notifications.${kind}.unsupported`
  if (standing === 'denied' || standing === 'insecure' || standing === 'unasked') return `notifications.${standing}`
  return `notifications.${kind}.about`
}
