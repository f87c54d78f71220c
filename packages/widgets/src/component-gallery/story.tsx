/// <reference types="vite/client" />
import type { CSSProperties, ReactNode, RefObject } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { RootProps } from '../root-props.ts'
import { type Theme, themeClassOf } from '../theme/theme.ts'
import { LightContext } from './InChat.tsx'
import { allStories, type Kind, kinds, storyOf } from './stories.ts'
import '../styles.css'
import '../carousel/carousel.css'
import './story.css'

export interface Look {
  component: string
  kind: Kind
  theme?: Theme
  dir?: 'ltr' | 'rtl'
  language?: string
}

/** The props the conformance test gives a component, and looks for on the page. */
const marks = {
  className: 'given-class',
  style: { '--given': '1' } as CSSProperties,
  'data-given': 'yes',
  title: 'Given title',
}

let root: Root | undefined
let latest: RefObject<HTMLElement | null>
let given: RootProps

function Frame({ look, children }: { look: Required<Look>; children: ReactNode }) {
  const room = allStories.find(({ component }) => component === look.component)?.room
  return (
    <LightContext value={look}>
      <div className="story" data-room={room ?? 'itself'}>
        {children}
      </div>
    </LightContext>
  )
}

const gallery = {
  stories: () =>
    allStories.map((stories) => ({
      component: stories.component,
      has: kinds.filter((kind) => typeof stories[kind] === 'function'),
    })),
  show(wanted: Look, { conforming = false } = {}) {
    gallery.clear()
    latest = { current: null }
    given = conforming ? { ...marks, ref: latest } : {}
    root = createRoot(document.getElementById('root')!)
    gallery.change(wanted)
  },
  /** Renders the shown component in another look, or language. */
  change(wanted: Look) {
    const look = { theme: 'light' as const, dir: 'ltr' as const, language: 'en', ...wanted }
    document.documentElement.dir = look.dir
    document.documentElement.className = themeClassOf(
      look.theme,
      undefined,
      matchMedia('(prefers-color-scheme: dark)').matches,
    )
    root?.render(<Frame look={look}>{storyOf(look.component, look.kind)?.(given)}</Frame>)
  },
  /** The element in the ref of the component. */
  given: () => latest.current,
  clear() {
    root?.unmount()
    root = undefined
  },
}

declare global {
  interface Window {
    gallery: typeof gallery
  }
}
window.gallery = gallery

// In the gallery the address selects the example.
const query = new URLSearchParams(location.search)
const component = query.get('component')
if (component)
  gallery.show({
    component,
    kind: (query.get('kind') ?? 'typical') as Kind,
    theme: (query.get('theme') ?? 'light') as Theme,
    dir: query.get('dir') === 'rtl' ? 'rtl' : 'ltr',
    language: query.get('language') ?? 'en',
  })
document.documentElement.dataset.ready = ''
