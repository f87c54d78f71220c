import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { sayWhoCalls } from './http-client.ts'
import { loadCatalogue } from './i18n/catalogues.ts'
import { chooseLanguage } from './i18n/languages.ts'
import { reloadOnNewBuild } from './shell/missing-part.ts'
import { letServiceWorkerIn } from './shell/service-worker.ts'

sayWhoCalls()
letServiceWorkerIn()
reloadOnNewBuild()

// The server has rendered the page in this language, so hydration must find the same texts.
await loadCatalogue(chooseLanguage(document.documentElement.lang, null))

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
