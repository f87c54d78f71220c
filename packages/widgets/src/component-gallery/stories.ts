import type { ReactNode } from 'react'
import type { RootProps } from '../root-props.ts'

/** The views of a component. Dark and right to left apply to every one of them. */
export const kinds = ['empty', 'typical', 'tooMuch', 'error'] as const
export type Kind = (typeof kinds)[number]

/** Renders a component with the props the gallery gives its outermost element. */
// biome-ignore lint/suspicious/noExplicitAny: only the component knows the element type
export type Story = (root: RootProps<any>) => ReactNode

/** The examples of one component; a sentence in place of one gives the reason why there is none. */
export type Stories = {
  /** as it is exported */
  component: string
  /** its size: that of a pane, of a column, of a card with a margin, or its natural one */
  room?: 'pane' | 'column' | 'card'
} & { [K in Kind]: Story | string }

const files = import.meta.glob<Record<string, Stories>>('../**/*.stories.tsx', { eager: true })

/** The examples of all components, by name. */
export const allStories: readonly Stories[] = Object.values(files)
  .flatMap((file) => Object.values(file))
  .sort((a, b) => a.component.localeCompare(b.component, 'en'))

export function storyOf(component: string, kind: Kind): Story | undefined {
  const story = allStories.find((stories) => stories.component === component)?.[kind]
  return typeof story === 'function' ? story : undefined
}
