import type { MessageKey } from '../i18n/catalogues.ts'
import type { Person } from '../people/person.ts'
import type { Product } from '../product.server.ts'
import { signIn } from './sign-in.server.ts'

/**
 * Has somebody who is signed in prove with their password that it is them. Goes through the door of sign-in, which
 * counts the tries; those of strangers are counted apart.
 *
 * @returns why it is not taken, or undefined
 */
export async function confirmPassword(
  product: Product,
  { id, email }: Person,
  { password, address }: { password: string; address: string },
): Promise<MessageKey | undefined> {
  const { type } = await signIn(product, { email, password, address, knownAs: id })
  if (type === 'success') return undefined
  return type === 'tooOften' ? 'signIn.tooOften' : 'password.wrong'
}
