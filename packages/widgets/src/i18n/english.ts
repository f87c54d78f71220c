import type { Messages } from '@lingui/core'
import en from './catalogues/en.json'

/**
 * The fallback for a text that the current language lacks. If a product splits the English catalogue, it contains the
 * texts of the initial page, and each lazy chunk adds its own.
 */
export const english: Messages = en
