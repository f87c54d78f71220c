import { useChat } from '../chat/chat-context.ts'
import { useTranslation } from '../i18n/translate.ts'
import { endOf } from './do-not-disturb-times.ts'

/**
 * Turns do not disturb on or off on all devices, and announces it to screen readers; a refusal is shown in a notice.
 */
export function useSetDoNotDisturb(): (until?: Date) => Promise<void> {
  const { t, locale } = useTranslation()
  const { client, clock, announcer, notices } = useChat()
  return async (until) => {
    try {
      await client.setPushPreferences([until ? { disabled_until: until.toISOString() } : { remove_disable: true }])
      const text = until ? t('quiet.on', { time: endOf(locale, until, new Date(clock.now())) }) : t('quiet.ended')
      announcer.announce('notice', { text })
    } catch (error) {
      notices.failed('preferences.failed', error)
    }
  }
}
