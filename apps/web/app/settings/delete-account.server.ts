import { redirect } from 'react-router'
import { deletePerson, farewellOf, isHeld } from '../people/delete-person.server.ts'
import type { Person } from '../people/person.ts'
import type { FieldErrors } from '../people/person-fields.ts'
import type { Product } from '../product.server.ts'
import { confirmPassword } from '../session/confirm-password.server.ts'
import { signOut } from '../session/sign-in.server.ts'
import { farewellSetCookie } from '../welcome/farewell.server.ts'

/** Without a field, something blocks the deletion; the page shows that itself. */
export type AccountRefusal = FieldErrors<'password'>

/** Deletes the account of a user who knows its password, and redirects them to the public page. */
export async function deleteAccount(
  product: Product,
  { request, address }: { request: Request; address: string },
  person: Person,
  form: FormData,
): Promise<Response | AccountRefusal> {
  const password = String(form.get('password') ?? '')
  if (!password) return { password: 'signIn.passwordRequired' }
  if (isHeld(await farewellOf(product.database.kysely, person.id))) return {}
  const unproved = await confirmPassword(product, person, { password, address })
  if (unproved) return { password: unproved }
  if (!(await deletePerson(product, person, new Date()))) return {}

  const cookies = [...(await signOut(product, request)), farewellSetCookie(product.publicUrl)]
  return redirect('/welcome', { headers: new Headers(cookies.map((cookie) => ['set-cookie', cookie])) })
}
