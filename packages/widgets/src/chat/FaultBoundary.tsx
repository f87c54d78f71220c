import { Component, type ReactNode } from 'react'

export interface FaultBoundaryProps {
  /** what is rendered; another value is tried again */
  of?: unknown
  /** drawn in place of children that cannot be */
  fallback: (error: unknown, retry: () => void) => ReactNode
  children: ReactNode
}

/**
 * Keeps a fault in its children from taking the rest of the page with it. React itself reports the fault, once, with
 * `console.error` or the host's `onCaughtError`.
 */
export class FaultBoundary extends Component<FaultBoundaryProps, { fault?: { error: unknown; of: unknown } }> {
  override state: { fault?: { error: unknown; of: unknown } } = {}

  static getDerivedStateFromError(error: unknown) {
    return { fault: { error, of: NOT_YET } }
  }

  static getDerivedStateFromProps({ of }: FaultBoundaryProps, { fault }: FaultBoundary['state']) {
    if (!fault) return null
    if (fault.of === NOT_YET) return { fault: { ...fault, of } }
    return fault.of === of ? null : { fault: undefined }
  }

  override render(): ReactNode {
    const { fault } = this.state
    return fault ? this.props.fallback(fault.error, this.#retry) : this.props.children
  }

  #retry = () => this.setState({ fault: undefined })
}

/** What was drawn is known with the props. */
const NOT_YET = Symbol('not yet')
