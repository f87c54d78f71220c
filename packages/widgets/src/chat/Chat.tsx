import { Cell, type ChatClient, type Clock, systemClock } from '@parley/client'
import {
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Announcer } from '../announcer/announcer.ts'
import { LiveRegions } from '../announcer/LiveRegions.tsx'
import { TranslationContext, withHours } from '../i18n/translate.ts'
import { useLanguage } from '../i18n/use-language.ts'
import { useMarks, useMarksSoon } from '../messages/marks.ts'
import { NoticeRegion } from '../notices/NoticeRegion.tsx'
import { Notices } from '../notices/notices.ts'
import { HostPreferencesContext, PreferencesContext, useOwnPreferences } from '../preferences/use-preferences.ts'
import { useSounds } from '../preferences/use-sounds.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { OpenShortcuts, type ShortcutRegistry, useShortcut, useShortcutKeys } from '../shortcuts/use-shortcuts.ts'
import { type Theme, themeClassOf, usePrefersDark } from '../theme/theme.ts'
import { useTooltips } from '../tooltips/use-tooltips.ts'
import { ChatContext, type ChatScope, type MessageHref } from './chat-context.ts'
import { FaultBoundary } from './FaultBoundary.tsx'
import { lazyPart } from './lazy-part.tsx'
import type { People } from './people.ts'
import { useFocusKeptInside, useRegionKeys } from './use-region-keys.ts'

const ShortcutsDialog = lazyPart(() => import('../shortcuts/ShortcutsDialog.tsx'))

export interface ChatProps extends RootProps<HTMLDivElement> {
  client: ChatClient
  /** the product's current theme; `system` follows the device */
  theme?: Theme
  /** a theme class of your own, in place of `chat-theme-light` and `chat-theme-dark` */
  themeClass?: string
  /**
   * two letters, or the tag of a language you have added; without it the chat user's, then the browser's, then English
   */
  language?: string
  /** the product stores the theme itself; else it is stored in the preferences, and overrides `theme` */
  onTheme?: (theme: Theme) => void
  /** the product stores the language itself; undefined goes back to the browser's */
  onLanguage?: (language: string | undefined) => void
  /** where shortcuts work: on the whole page, or only while the focus is inside, for a panel beside other content */
  shortcuts?: 'page' | 'inside'
  /** sends pictures unchanged, at full size and with the camera's metadata [ATT-20] */
  originalPictures?: boolean
  /**
   * makes the address that links to a message of a channel; without it no links are offered. A page opened with such an
   * address passes its message to `<ChannelPane target>`. Must be the same function from render to render
   */
  messageHref?: MessageHref
  /**
   * called when the user leaves or deletes a conversation: a page that shows it must navigate away. Must be the same
   * function from render to render
   */
  onLeave?: (cid: string) => void
  /** your own directory in place of all users of the chat server; must be the same object from render to render */
  people?: People
  clock?: Clock
  children: ReactNode
}

/**
 * The root of every chat: provides the client to its children, and contains the theme class, the language, the notices
 * and the live region of the kit.
 *
 * A new theme or language replaces a class and the texts; no child is mounted again. Renders a `<div class="chat …"
 * lang="…">` that fills its parent.
 */
export function Chat({
  client,
  theme = 'system',
  themeClass,
  language: wanted,
  onTheme,
  onLanguage,
  shortcuts: reach = 'inside',
  originalPictures = false,
  messageHref,
  onLeave,
  people,
  clock = systemClock,
  children,
  ...root
}: ChatProps) {
  const browser = useBrowserLanguage()
  const own = useOwnLanguage(client)
  const preferences = useOwnPreferences(client)
  const preferred = useSyncExternalStore(preferences.subscribe, preferences.snapshot, preferences.snapshot)
  const shownTheme = (onTheme ? undefined : preferred.theme) ?? theme
  const language = (onLanguage ? undefined : preferred.language) ?? wanted
  const spoken = useLanguage(language ?? own, browser)
  const marks = useMarks()
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the marks are loaded, every summary rerenders without them.
  const translation = useMemo(() => ({ ...withHours(spoken, preferred.hours) }), [spoken, preferred.hours, marks])
  const prefersDark = usePrefersDark()
  const element = useRef<HTMLDivElement>(null)

  useRegionKeys(element, preferences)
  useFocusKeptInside(element)
  useTooltips(element)
  useMarksSoon()

  const [announcer] = useState(() => new Announcer(translation, clock))
  const [notices] = useState(() => new Notices(clock))
  useEffect(() => {
    announcer.translation = translation
  }, [announcer, translation])
  const [shortcuts] = useState<ShortcutRegistry>(() => new Map())
  const [away] = useState<ChatScope['away']>(() => new Cell(undefined))
  const [rootElement] = useState(() => () => element.current)
  const scope = useMemo<ChatScope>(
    () => ({
      client,
      announcer,
      notices,
      clock,
      shortcuts,
      away,
      originalPictures,
      messageHref,
      onLeave,
      people,
      root: rootElement,
    }),
    [client, announcer, notices, clock, shortcuts, away, originalPictures, messageHref, onLeave, people, rootElement],
  )
  const kept = useMemo(() => ({ theme, language: wanted, onTheme, onLanguage }), [theme, wanted, onTheme, onLanguage])
  useSounds(client, clock, preferred.sounds)
  const isFlat = preferred.messages === 'flat'
  useEffect(() => {
    if (isFlat) import('../messages/flat.ts').catch(() => {})
  }, [isFlat])
  useShortcutKeys(shortcuts, rootElement, preferences, { everywhere: reach === 'page' })
  return (
    <ChatContext value={scope}>
      <TranslationContext value={translation}>
        <div
          {...rootProps(
            {
              ref: element,
              className: `chat ${themeClassOf(shownTheme, themeClass, prefersDark)}`,
              'data-messages': isFlat ? 'flat' : undefined,
              'data-density': preferred.density === 'compact' ? 'compact' : undefined,
              lang: translation.language,
            },
            root,
          )}
        >
          <PreferencesContext value={preferences}>
            <HostPreferencesContext value={kept}>
              <WithShortcuts>{children}</WithShortcuts>
            </HostPreferencesContext>
          </PreferencesContext>
          <FaultBoundary fallback={() => null}>
            <NoticeRegion notices={notices} />
          </FaultBoundary>
          <FaultBoundary fallback={() => null}>
            <LiveRegions announcer={announcer} />
          </FaultBoundary>
        </div>
      </TranslationContext>
    </ChatContext>
  )
}

/** The children, and the list of shortcuts over them. */
function WithShortcuts({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const show = useCallback(() => setOpen(true), [])
  useShortcut('help', show)
  return (
    <OpenShortcuts value={show}>
      {children}
      {open && (
        <Suspense fallback={null}>
          <ShortcutsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </OpenShortcuts>
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
