/** If the reader is nearer than this to the end, the list follows new rows. */
export const AT_END_PX = 64
/** The next page is requested nearer than this many viewports to an edge. */
const LOAD_AT_VIEWPORTS = 1.5
/** If the content is shorter than this many viewports, pages are loaded without waiting for the reader. */
const FILL_VIEWPORTS = 2
/** The target of a jump is held in place this long while the rows around it are measured. */
const SHOWN_MS = 500
/** After the last movement of a finger or its momentum the list counts as resting. */
const REST_MS = 150

/** Where the target of a jump is placed: in the middle, or its top at one fifth of the viewport. */
export type Place = 'centre' | 'fifth'

/** The scroll anchor. Every movement by the list itself follows from this one value. */
export type ScrollAnchor =
  | { at: 'end' } // pinned: the end stays in view
  | { at: 'row'; key: string; offset: number } // reading: this row stays `offset` px below the viewport top
  | { at: 'shown'; key: string; place: Place } // just jumped to, held in place for a moment

/** `held` from the touch of a finger, `coasting` until the momentum has died away. */
export type Motion = 'still' | 'held' | 'coasting'

/** `spent` until the reader scrolls again, so that pages are not loaded one after another without scrolling. */
export type Paging = 'spent' | 'ready' | 'asked'

export type Direction = 'older' | 'newer'

export interface ScrollState {
  anchor: ScrollAnchor
  motion: Motion
  older: Paging
  newer: Paging
}

/** The geometry at one moment; all lengths in px. */
export interface Sight {
  /** From the viewport down to the end of the content; 0 at the very end. */
  toEnd: number
  /** From the first row down to the viewport top; 0 at the very start. */
  toStart: number
  viewport: number
  content: number
  /** The sides with rows that are not loaded. */
  edges: Record<Direction, boolean>
  /** The row to hold when the list is not pinned; none while nothing is shown. */
  anchor?: { key: string; offset: number }
}

/** The events of the state machine: from the reader, the layout, the application or a timer. */
export type Signal =
  | { type: 'scrolled'; sight: Sight } // the reader moved the list
  | { type: 'laidOut'; sight: Sight } // rows or sizes changed and the list was scrolled back to its anchor
  | { type: 'input'; scrolls: boolean; sight: Sight } // a wheel, key, pointer or finger, whether or not the list could move
  | { type: 'fingerDown' }
  | { type: 'fingerUp' }
  | { type: 'rested' }
  | { type: 'settled' } // the time to hold the target of a jump is over
  | { type: 'show'; key: string; place: Place }
  | { type: 'restore'; key: string; offset: number }
  | { type: 'pin' }
  | { type: 'loaded'; direction: Direction; came: boolean; sight: Sight }

export type Effect =
  | { do: 'place' } // scroll the list to its anchor, dropping pending corrections
  | { do: 'release' } // apply the corrections that waited for the list to rest
  | { do: 'look' } // take a new anchor from the rows in view
  | { do: 'load'; direction: Direction }
  | { do: 'alarm'; signal: 'rested' | 'settled'; ms: number }

export const atOpening: ScrollState = { anchor: { at: 'end' }, motion: 'still', older: 'spent', newer: 'spent' }

/** A signal without meaning in this state changes nothing. */
export function step(state: ScrollState, signal: Signal): [ScrollState, ...Effect[]] {
  switch (signal.type) {
    case 'scrolled': {
      const [next, ...loads] = turnPages(rearm({ ...state, anchor: anchorAt(signal.sight, AT_END_PX) }), signal.sight)
      return state.motion === 'coasting' ? [next, ...loads, restAlarm] : [next, ...loads]
    }
    case 'laidOut':
      return turnPages({ ...state, anchor: anchorAfterLayout(state.anchor, signal.sight) }, signal.sight)
    case 'input': {
      const anchor = state.anchor.at === 'shown' ? anchorAt(signal.sight, AT_END_PX) : state.anchor
      return signal.scrolls ? turnPages(rearm({ ...state, anchor }), signal.sight) : [{ ...state, anchor }]
    }
    case 'fingerDown':
      return [{ ...state, motion: 'held' }]
    case 'fingerUp':
      return state.motion === 'held' ? [{ ...state, motion: 'coasting' }, restAlarm] : [state]
    case 'rested':
      return state.motion === 'coasting' ? [{ ...state, motion: 'still' }, { do: 'release' }] : [state]
    case 'settled':
      return state.anchor.at === 'shown' ? [state, { do: 'look' }] : [state]
    case 'show':
      return [
        { ...state, anchor: { at: 'shown', key: signal.key, place: signal.place } },
        { do: 'place' },
        { do: 'alarm', signal: 'settled', ms: SHOWN_MS },
      ]
    case 'restore':
      return [{ ...state, anchor: { at: 'row', key: signal.key, offset: signal.offset } }, { do: 'place' }]
    case 'pin':
      return [{ ...state, anchor: { at: 'end' } }, { do: 'place' }]
    case 'loaded': {
      const next: ScrollState = { ...state, [signal.direction]: 'spent' }
      return signal.came ? turnPages(next, signal.sight) : [next]
    }
    default:
      return signal satisfies never
  }
}

const restAlarm: Effect = { do: 'alarm', signal: 'rested', ms: REST_MS }

/** Pinned if the end is near and nothing newer is unloaded; else the anchor is held. */
export function anchorAt(sight: Sight, withinPx: number): ScrollAnchor {
  if (sight.toEnd <= withinPx && !sight.edges.newer) return { at: 'end' }
  return sight.anchor ? { at: 'row', ...sight.anchor } : { at: 'end' }
}

/** A layout alone never removes the pin, and sets it only if that moves nothing. */
function anchorAfterLayout(anchor: ScrollAnchor, sight: Sight): ScrollAnchor {
  switch (anchor.at) {
    case 'end':
      return sight.edges.newer && sight.anchor ? { at: 'row', ...sight.anchor } : anchor
    case 'row':
      return anchorAt(sight, 1)
    case 'shown':
      return anchor
  }
}

function rearm(state: ScrollState): ScrollState {
  return {
    ...state,
    older: state.older === 'spent' ? 'ready' : state.older,
    newer: state.newer === 'spent' ? 'ready' : state.newer,
  }
}

function turnPages(state: ScrollState, sight: Sight): [ScrollState, ...Effect[]] {
  if (sight.viewport <= 0) return [state]
  const effects: Effect[] = []
  const next = sight.content < FILL_VIEWPORTS * sight.viewport ? rearm(state) : { ...state }
  for (const direction of ['older', 'newer'] as const) {
    const toEdge = direction === 'older' ? sight.toStart : sight.toEnd
    if (next[direction] !== 'ready' || !sight.edges[direction]) continue
    if (toEdge > LOAD_AT_VIEWPORTS * sight.viewport) continue
    next[direction] = 'asked'
    effects.push({ do: 'load', direction })
  }
  return [next, ...effects]
}
