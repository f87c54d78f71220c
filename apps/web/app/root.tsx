import type { ReactNode } from 'react'
import {
  Links,
  type LoaderFunctionArgs,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useRouteError,
  useRouteLoaderData,
} from 'react-router'
import { chooseLanguage } from './i18n/languages.ts'
import { Translations } from './i18n/translate.tsx'
import { useNonce } from './nonce.tsx'
import { sessionContext, sessionMiddleware } from './session/session.server.ts'
import { wrongOriginIn } from './session/wrong-origin.ts'
import { ErrorPage } from './shell/ErrorPage.tsx'
import { useFocusOnPage } from './shell/use-focus-on-page.ts'
import styles from './styles/index.css?url'

export const middleware = [sessionMiddleware]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const person = context.get(sessionContext)
  return {
    language: chooseLanguage(person?.language, request.headers.get('accept-language')),
    theme: person?.theme ?? ('system' as const),
  }
}

/** Language and theme change by a saved form or by signing in and out, not by navigation. */
export function shouldRevalidate(asked: ShouldRevalidateFunctionArgs): boolean {
  const { formMethod, defaultShouldRevalidate, currentUrl, nextUrl } = asked
  return (
    (formMethod !== undefined && formMethod !== 'GET' && defaultShouldRevalidate) ||
    (currentUrl.pathname === '/sign-in') !== (nextUrl.pathname === '/sign-in')
  )
}

export function Layout({ children }: { children: ReactNode }) {
  // A visitor at a wrong address gets an error without the page's data.
  const refused = wrongOriginIn(useRouteError())
  const { language, theme } = useRouteLoaderData<typeof loader>('root') ?? {
    language: refused?.language ?? 'en',
    theme: 'system',
  }
  const nonce = useNonce()
  return (
    <html lang={language} data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="theme-color" content="#6D28D9" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icon-192.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {/* Loaded by URL: imported styles would come again with lazy chunks. */}
        <link rel="stylesheet" href={styles} precedence="product" />
        <Meta />
        <Links />
      </head>
      <body>
        <Translations language={language}>{children}</Translations>
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  )
}

export default function Root() {
  useFocusOnPage()
  return <Outlet />
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <ErrorPage error={error} />
}
