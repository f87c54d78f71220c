import type { ActionFunctionArgs } from 'react-router'
import { syncChatUser } from '../chat/sync-users.server.ts'
import { isLanguage } from '../i18n/languages.ts'
import { themes } from '../people/person.ts'
import { saveLooks } from '../people/person-store.server.ts'
import { productContext } from '../product.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { requirePerson } from '../session/session.server.ts'

export { sendForm as clientAction } from '../ui/send-form.ts'

/** `POST /settings/looks`: saves the `theme` or the `language` of a form; an absent field stays as it is. */
export async function action({ request, url, context }: ActionFunctionArgs): Promise<null> {
  const person = requirePerson({ request, url, context })
  const product = context.get(productContext)
  const form = await readForm(request)
  const theme = themes.find((one) => one === form.get('theme'))
  const wanted = form.get('language')
  // An empty value returns to the browser's language.
  const language = isLanguage(wanted) ? wanted : wanted === '' ? null : undefined
  await saveLooks(product.database, person.id, { theme, language })
  if (language !== undefined) await syncChatUser(product, person.id)
  return null
}

/** A GET here changes nothing. */
export function loader(): never {
  throw new Response('Not found', { status: 404 })
}
