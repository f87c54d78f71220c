import type { ActionFunctionArgs } from 'react-router'
import { syncChatUser } from '../chat/sync-users.server.ts'
import type { AnyMessageKey } from '../i18n/catalogues.ts'
import { serverText } from '../i18n/server-text.server.ts'
import { savePicture } from '../people/picture-store.server.ts'
import { PICTURE_BYTES, readPicture } from '../people/read-picture.server.ts'
import { productContext } from '../product.server.ts'
import { type RateLimit, spend } from '../rate-limit.server.ts'
import { readForm } from '../session/read-form.server.ts'
import { requirePerson } from '../session/session.server.ts'

export { sendForm as clientAction } from '../ui/send-form.ts'

export type PictureAnswer = { type: 'success'; notice: string } | { type: 'error'; error: string }

/** The size of the form around the file. */
const FORM_BYTES = 4_096

/** Every picture is decoded, encoded again and sent to chat, so uploads are limited. */
export const PICTURES: RateLimit = { name: 'pictures', atOnce: 30, pauseMs: 60_000 }

/** `POST /settings/picture`: saves the `picture` of a form in the user's profile; a form without one removes it. */
export async function action({ request, url, context }: ActionFunctionArgs): Promise<PictureAnswer> {
  const person = requirePerson({ request, url, context })
  const product = context.get(productContext)
  const say = (key: AnyMessageKey) => serverText(request, person, key)

  if (!(await spend(product.database, PICTURES, person.id)))
    return { type: 'error', error: await say('settings.picture.tooOften') }
  const given = await readForm(request, PICTURE_BYTES + FORM_BYTES).catch((refusal: unknown) => {
    if (refusal instanceof Response && refusal.status === 413) return undefined
    throw refusal
  })
  if (!given) return { type: 'error', error: await say('settings.picture.tooLarge') }

  const file = given.get('picture')
  const picture = file instanceof Blob ? await readPicture(file) : undefined
  if (file !== null && !picture) return { type: 'error', error: await say('settings.picture.unreadable') }
  await savePicture(product.database, person.id, picture)
  await syncChatUser(product, person.id)
  return { type: 'success', notice: await say(picture ? 'settings.picture.saved' : 'settings.picture.removed') }
}

/** A GET here changes nothing. */
export function loader(): never {
  throw new Response('Not found', { status: 404 })
}
