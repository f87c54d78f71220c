import type { MessageKey } from '../i18n/catalogues.ts'
import { graphemeCount } from './graphemes.ts'

const LONGEST_NAME = 100
const SHORTEST_PASSWORD = 8
const LONGEST_PASSWORD = 128

/** The longest address that mail servers accept. */
const LONGEST_EMAIL = 254

/** The addresses that sign-in accepts: a user with any other could never sign in again. */
const EMAIL = /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@([a-z\d][a-z\d-]*\.)+[a-z]{2,}$/

/** The fields of a new user. */
export interface PersonFields {
  givenName: string
  familyName: string
  /** In lower case. */
  email: string
  password: string
}

/** An error for each invalid field. */
export type FieldErrors<Name extends string> = Partial<Record<Name, MessageKey>>

/** Reads the fields of a new user. */
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

/** The error in the name of a user or an organization. */
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

/** The value of a form field, trimmed, and without characters that change the direction of the text after them. */
export function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? '')
    .replace(/[\u202a-\u202e\u2066-\u2069\p{Cc}]/gu, '')
    .trim()
}
