import type { Messages } from '@lingui/core'
import { Cell } from '@parley/client'

/** Texts added by the page around the kit, by language; they override those of the kit, see `addTexts`. */
export const givenTexts = new Cell<Readonly<Record<string, Messages>>>({})
