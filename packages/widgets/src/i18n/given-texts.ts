import type { Messages } from '@lingui/core'
import { Cell } from '@parley/client'

/** Texts of the page around the kit, by language; they stand before those of the kit, see `addTexts`. */
export const givenTexts = new Cell<Readonly<Record<string, Messages>>>({})
