import type { MessageKey } from '../i18n/catalogues.ts'
import type { Person } from '../people/person.ts'
import type { Product } from '../product.server.ts'
import { signIn } from './sign-in.server.ts'

/**
 * Makes a signed-in user confirm their password. It goes through sign-in, which counts the attempts; strangers'
 * attempts count separately.
 *
 * @returns the reason for a refusal, or undefined
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
