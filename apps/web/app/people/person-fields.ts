import type { MessageKey } from '../i18n/catalogues.ts'
import { graphemeCount } from './graphemes.ts'

const LONGEST_NAME = 100
const SHORTEST_PASSWORD = 8
const LONGEST_PASSWORD = 128

/** As long as mail servers take them. */
const LONGEST_EMAIL = 254

/** As the door of sign-in takes them: whoever joined by another one could never come in again. */
const EMAIL = /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@([a-z\d][a-z\d-]*\.)+[a-z]{2,}$/

/** What a new person is made of. */
export interface PersonFields {
  givenName: string
  familyName: string
  /** In small letters. */
  email: string
  password: string
}

/** A sentence for each field that cannot be taken as it is. */
export type FieldErrors<Name extends string> = Partial<Record<Name, MessageKey>>

/** Reads the fields of somebody new. */
export function readPersonFields(
  form: FormData,
): { ok: true; fields: PersonFields } | { ok: false; errors: FieldErrors<keyof PersonFields> } {
  const fields = {
    givenName: textOf(form, 'givenName'),
    familyName: textOf(form, 'familyName'),
    email: textOf(form, 'email').toLowerCase(),
    password: String(form.get('password') ?? ''),
  }
  const errors = {
    givenName: nameError(fields.givenName),
    familyName: nameError(fields.familyName),
    email: emailError(fields.email),
    password: passwordError(fields.password),
  }
  return Object.values(errors).some((error) => error) ? { ok: false, errors } : { ok: true, fields }
}

/** The name of a person or an organization. */
export function nameError(name: string): MessageKey | undefined {
  if (!/[^\p{Z}\p{C}]/u.test(name)) return 'settings.namesRequired'
  return graphemeCount(name) > LONGEST_NAME || name.length > LONGEST_NAME * 10 ? 'settings.nameTooLong' : undefined
}

export function emailError(email: string): MessageKey | undefined {
  return EMAIL.test(email) && email.length <= LONGEST_EMAIL ? undefined : 'invite.emailInvalid'
}

export function passwordError(password: string): MessageKey | undefined {
  if (password.length < SHORTEST_PASSWORD) return 'password.tooShort'
  return password.length > LONGEST_PASSWORD ? 'password.tooLong' : undefined
}

/**
 * What a field of a form holds, without white space around it and without the characters that turn the direction of
 * what stands after them.
 */
export function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? '')
    .replace(/[\u202a-\u202e\u2066-\u2069\p{Cc}]/gu, '')
    .trim()
}
