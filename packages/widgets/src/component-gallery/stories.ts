import type { ReactNode } from 'react'
import type { RootProps } from '../root-props.ts'

/** What a component is shown in. Dark and right to left are ways to look at every one of them. */
export const kinds = ['empty', 'typical', 'tooMuch', 'error'] as const
export type Kind = (typeof kinds)[number]

/** Draws a component with what the gallery gives its outermost element. */
// biome-ignore lint/suspicious/noExplicitAny: which element it is, the component knows
export type Story = (root: RootProps<any>) => ReactNode

/** The stories of one component; a sentence in place of one says why there is none. */
export type Stories = {
  /** as it is exported */
  component: string
  /** the room it is given: that of a pane, of a column, of a card with air around it, or what it needs itself */
  room?: 'pane' | 'column' | 'card'
} & { [K in Kind]: Story | string }

const files = import.meta.glob<Record<string, Stories>>('../**/*.stories.tsx', { eager: true })

/** The stories of all components, by name. */
export const allStories: readonly Stories[] = Object.values(files)
  .flatMap((file) => Object.values(file))
  .sort((a, b) => a.component.localeCompare(b.component, 'en'))

export function storyOf(component: string, kind: Kind): Story | undefined {
  const story = allStories.find((stories) => stories.component === component)?.[kind]
  return typeof story === 'function' ? story : undefined
}
