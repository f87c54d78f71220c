import type { Messages } from '@lingui/core'
import en from './catalogues/en.json'

/**
 * What stands in for a text that the language shown does not have. Where a product has English split, it holds what the
 * page starts with, and each part that comes later adds its own.
 */
export const english: Messages = en
