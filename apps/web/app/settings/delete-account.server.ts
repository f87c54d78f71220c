import { redirect } from 'react-router'
import type { MessageKey } from '../i18n/catalogues.ts'
import { deletePerson, farewellOf, isHeld } from '../people/delete-person.server.ts'
import type { Person } from '../people/person.ts'
import type { FieldErrors } from '../people/person-fields.ts'
import type { Product } from '../product.server.ts'
import { signIn, signOut } from '../session/sign-in.server.ts'
import { farewellSetCookie } from '../welcome/farewell.server.ts'

/** Without a field it is what holds the person, and the page says that itself. */
export type AccountRefusal = FieldErrors<'password'>

/** Deletes the account of whoever knows its password, and leads them out of the product. */
export async function deleteAccount(
  product: Product,
  { request, address }: { request: Request; address: string },
  person: Person,
  form: FormData,
): Promise<Response | AccountRefusal> {
  const password = String(form.get('password') ?? '')
  if (!password) return { password: 'signIn.passwordRequired' }
  if (isHeld(await farewellOf(product.database.kysely, person.id))) return {}
  // Goes through the door of sign-in, which counts the tries.
  const known = await signIn(product, { email: person.email, password, address })
  if (known.type !== 'success') return { password: refusals[known.type] }
  if (!(await deletePerson(product, person, new Date()))) return {}

  const cookies = [...(await signOut(product, request)), farewellSetCookie(product.publicUrl)]
  return redirect('/welcome', { headers: new Headers(cookies.map((cookie) => ['set-cookie', cookie])) })
}

const refusals: Record<'refused' | 'tooOften', MessageKey> = {
  refused: 'password.wrong',
  tooOften: 'signIn.tooOften',
}
