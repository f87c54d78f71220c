import { isRouteErrorResponse } from 'react-router'
import type { Language } from '../i18n/languages.ts'

/** The error for a user who sent a form from a page at another address than the product's. */
export interface WrongOrigin {
  type: 'error'
  title: string
  /** A sentence with both addresses and the name of the setting. */
  error: string
  /** The product's own address. */
  publicUrl: string
  /** The language of the sentence. */
  language: Language
}

/** The wrong-origin error, if that is why a page failed. */
export function wrongOriginIn(error: unknown): WrongOrigin | undefined {
  const isOne = isRouteErrorResponse(error) && error.status === 403 && typeof error.data?.publicUrl === 'string'
  return isOne ? error.data : undefined
}
