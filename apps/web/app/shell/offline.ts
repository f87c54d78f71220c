import { randomBytes } from 'node:crypto'
import type { LoaderFunctionArgs } from 'react-router'
import { chooseLanguage } from '../i18n/languages.ts'
import { serverText } from '../i18n/server-text.server.ts'
import { sessionContext } from '../session/session.server.ts'

/** How often the page checks whether the server responds. */
const LOOK_AGAIN_MS = 3_000

/**
 * `GET /offline`: a self-contained page in the user's present language. The service worker caches it and shows it in
 * place of any page that fails to load.
 */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const person = context.get(sessionContext)
  const say = (key: 'app.name' | 'offline.title' | 'offline.body' | 'offline.retry') => serverText(request, person, key)
  const [name, title, body, retry] = await Promise.all([
    say('app.name'),
    say('offline.title'),
    say('offline.body'),
    say('offline.retry'),
  ])
  const nonce = randomBytes(16).toString('base64')
  return new Response(
    `<!doctype html>
<html lang="${chooseLanguage(person?.language, request.headers.get('accept-language'))}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${name}</title>
<style nonce="${nonce}">${style(person?.theme)}</style>
</head>
<body>
<main>
<svg viewBox="0 0 24 24" width="64" height="64" aria-hidden="true"><path d="M3 3l18 18M8.5 15.5a5 5 0 0 1 7 0M5 12a10 10 0 0 1 5-2.7M19 12a10 10 0 0 0-3-2M2 8.6a15 15 0 0 1 5-3M22 8.6A15 15 0 0 0 11 4.6M12 19.5v.01" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></svg>
<h1>${title}</h1>
<p>${body}</p>
<button type="button">${retry}</button>
</main>
<script nonce="${nonce}">
const again = () => location.reload()
addEventListener('online', again)
document.querySelector('button').addEventListener('click', again)
// The network may be there and the server not, or be there a moment later than it says.
setInterval(() => fetch('/health', { cache: 'no-store' }).then(({ ok }) => ok && again(), () => {}), ${LOOK_AGAIN_MS})
</script>
</body>
</html>
`,
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
      },
    },
  )
}

/** The product's colours, because its style sheet may be unreachable. */
function style(theme: 'light' | 'dark' | 'system' = 'system'): string {
  return `:root{color-scheme:${theme === 'system' ? 'light dark' : theme};font-family:ui-sans-serif,system-ui,sans-serif}
body{margin:0;background:light-dark(#fff,#14111a);color:light-dark(#1b1722,#f1eef7)}
main{display:grid;align-content:center;justify-items:center;gap:1rem;box-sizing:border-box;min-block-size:100dvh;padding:2rem;text-align:center;line-height:1.5}
svg{color:light-dark(#6d28d9,#b69cff)}
h1{margin:0;font-size:1.75rem;letter-spacing:-.02em}
p{max-inline-size:46ch;margin:0;color:light-dark(#5e5769,#b1a9bf);text-wrap:balance}
p:lang(ja){word-break:auto-phrase}
button{min-block-size:2.75rem;padding-inline:1.5rem;border:0;border-radius:999px;background:light-dark(#6d28d9,#b69cff);color:light-dark(#fff,#1b1034);font:inherit;font-weight:600;cursor:pointer}
button:focus-visible{outline:2px solid light-dark(#6d28d9,#b69cff);outline-offset:2px}`
}
