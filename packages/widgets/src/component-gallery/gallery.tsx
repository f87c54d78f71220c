/// <reference types="vite/client" />
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { languages } from '../i18n/languages.ts'
import { allStories, type Kind, kinds } from './stories.ts'
import './gallery.css'

const names: Record<Kind, string> = { empty: 'Empty', typical: 'Typical', tooMuch: 'Far too much', error: 'Error' }
const widths = { Wide: '100%', Tablet: '768px', Phone: '390px', Widget: '380px' }

interface Shown {
  component: string
  kind: Kind
  theme: 'light' | 'dark'
  dir: 'ltr' | 'rtl'
  language: string
  width: keyof typeof widths
}

/** The state in the address, so that an example can be shared as a link. */
function fromAddress(): Shown {
  const query = new URLSearchParams(location.hash.slice(1))
  const first = {
    component: allStories[0]!.component,
    kind: 'typical',
    theme: 'light',
    dir: 'ltr',
    language: 'en',
    width: 'Wide',
  }
  return { ...first, ...Object.fromEntries(query) } as Shown
}

function Gallery() {
  const [shown, setShown] = useState(fromAddress)
  useEffect(() => {
    const follow = () => setShown(fromAddress())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  const hrefOf = (change: Partial<Shown>) => `#${new URLSearchParams({ ...shown, ...change })}`
  const show = (change: Partial<Shown>) => {
    location.hash = hrefOf(change)
  }
  const stories = allStories.find(({ component }) => component === shown.component)!
  const story = stories[shown.kind]
  const { width, ...look } = shown
  return (
    <div className="gallery">
      <nav aria-label="Components">
        <h1>Gallery</h1>
        <ul>
          {allStories.map(({ component }) => (
            <li key={component}>
              <a href={hrefOf({ component })} aria-current={component === shown.component ? 'page' : undefined}>
                {component}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main>
        <header>
          <h2>{shown.component}</h2>
          <fieldset aria-label="Story">
            {kinds.map((kind) => (
              <a key={kind} href={hrefOf({ kind })} aria-current={kind === shown.kind ? 'true' : undefined}>
                {names[kind]}
              </a>
            ))}
          </fieldset>
          <fieldset aria-label="Look">
            <button
              type="button"
              aria-pressed={shown.theme === 'dark'}
              onClick={() => show({ theme: shown.theme === 'dark' ? 'light' : 'dark' })}
            >
              Dark
            </button>
            <button
              type="button"
              aria-pressed={shown.dir === 'rtl'}
              onClick={() => show({ dir: shown.dir === 'rtl' ? 'ltr' : 'rtl' })}
            >
              Right to left
            </button>
            <select
              aria-label="Width"
              value={width}
              onChange={(event) => show({ width: event.target.value as Shown['width'] })}
            >
              {Object.keys(widths).map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <select
              aria-label="Language"
              value={shown.language}
              onChange={(event) => show({ language: event.target.value })}
            >
              {languages.map((language) => (
                <option key={language}>{language}</option>
              ))}
            </select>
          </fieldset>
        </header>
        {typeof story === 'string' ? (
          <p className="gallery-none">{`There is none: ${story}`}</p>
        ) : (
          <iframe
            title={`${shown.component}, ${names[shown.kind]}`}
            src={`./story.html?${new URLSearchParams(look)}`}
            style={{ inlineSize: widths[width] }}
          />
        )}
      </main>
    </div>
  )
}

createRoot(document.getElementById('root')!).render(<Gallery />)
document.documentElement.dataset.ready = ''
