import type { ReactElement } from 'react'

/**
 * What a component draws beside content of its own: elements, no bare text.
 *
 * A browser that translates the page replaces text nodes, and React fails on a text that stands beside other content; a
 * text has an element of its own.
 */
export type Elements = ReactElement | readonly Elements[] | null | undefined | boolean | ''
