import { type ChatClient, type Clock, systemClock } from '@parley/client'
import { type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Announcer } from '../announcer/announcer.ts'
import { LiveRegions } from '../announcer/LiveRegions.tsx'
import { chooseLanguage } from '../i18n/languages.ts'
import { TranslationContext } from '../i18n/translate.ts'
import { useLanguage } from '../i18n/use-language.ts'
import { NoticeRegion } from '../notices/NoticeRegion.tsx'
import { Notices } from '../notices/notices.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { type Theme, themeClassOf, usePrefersDark } from '../theme/theme.ts'
import { ChatContext, type ChatScope } from './chat-context.ts'
import { useRegionKeys } from './use-region-keys.ts'

export interface ChatProps extends RootProps<HTMLDivElement> {
  client: ChatClient
  /** the product's current theme; `system` follows the device */
  theme?: Theme
  /** a theme class of your own, in place of `chat-theme-light` and `chat-theme-dark` */
  themeClass?: string
  /** two letters; without it the chat user's language, then the browser's, then English */
  language?: string
  clock?: Clock
  children: ReactNode
}

/**
 * The root of everything: gives the client to what is inside, and carries the
 * theme class, the language, the notices and the one voice of the kit.
 *
 * A new theme or language swaps a class and the sentences; nothing inside is
 * mounted anew. Renders a `<div class="chat …" lang="…">` that fills its place.
 */
export function Chat({
  client,
  theme = 'system',
  themeClass,
  language: wanted,
  clock = systemClock,
  children,
  ...root
}: ChatProps) {
  const browser = useBrowserLanguage()
  const own = useOwnLanguage(client)
  const translation = useLanguage(chooseLanguage(wanted ?? own, browser))
  const prefersDark = usePrefersDark()
  const element = useRef<HTMLDivElement>(null)

  useRegionKeys(element)

  const [announcer] = useState(() => new Announcer(translation, clock))
  const [notices] = useState(() => new Notices(clock))
  useEffect(() => {
    announcer.translation = translation
  }, [announcer, translation])
  const scope = useMemo<ChatScope>(
    () => ({ client, announcer, notices, clock, root: () => element.current }),
    [client, announcer, notices, clock],
  )
  return (
    <ChatContext value={scope}>
      <TranslationContext value={translation}>
        <div
          {...rootProps(
            {
              ref: element,
              className: `chat ${themeClassOf(theme, themeClass, prefersDark)}`,
              lang: translation.language,
            },
            root,
          )}
        >
          {children}
          <NoticeRegion notices={notices} />
          <LiveRegions announcer={announcer} />
        </div>
      </TranslationContext>
    </ChatContext>
  )
}

/** The language of the chat user, known once there is a connection. */
function useOwnLanguage(client: ChatClient): string | undefined {
  const language = () => client.user?.language
  return useSyncExternalStore(client.connection.subscribe, language, language)
}

/** Unknown on a server, so that the first render in the browser is the same as there. */
function useBrowserLanguage(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('languagechange', listener)
      return () => window.removeEventListener('languagechange', listener)
    },
    () => navigator.language,
    () => undefined,
  )
}
