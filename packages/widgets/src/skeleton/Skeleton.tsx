import { useEffect, useState } from 'react'
import { SKELETON_AFTER_MS } from '../limits.ts'

export interface SkeletonProps {
  kind: 'rows' | 'bubbles'
  count: number
  /** the name of the loading content, for screen readers */
  label: string
}

/** Varying heights, the same each time. */
const BUBBLES = [
  { width: 58, height: 3.25 },
  { width: 36, height: 2.25 },
  { width: 64, height: 4.5 },
  { width: 44, height: 2.25 },
  { width: 52, height: 3.25 },
]

/** Placeholders in the sizes of the loading content; a very short wait shows none. */
export function Skeleton({ kind, count, label }: SkeletonProps) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  const places = Array.from({ length: count }, (_, place) => place)
  return (
    <div className="chat-skeletons" data-kind={kind} data-shown={shown || undefined} aria-busy="true">
      <span className="chat-hidden">{label}</span>
      {places.map((place) => (kind === 'rows' ? <Row key={place} /> : <Bubble key={place} place={place} />))}
    </div>
  )
}

function Row() {
  return (
    <div className="chat-skeleton-row" aria-hidden="true">
      <span className="chat-skeleton chat-skeleton-face" />
      <span className="chat-skeleton-lines">
        <span className="chat-skeleton" style={{ inlineSize: '55%' }} />
        <span className="chat-skeleton" style={{ inlineSize: '80%' }} />
      </span>
    </div>
  )
}

function Bubble({ place }: { place: number }) {
  const { width, height } = BUBBLES[place % BUBBLES.length]!
  return (
    <div className="chat-skeleton-bubble" data-own={place % 3 === 1 || undefined} aria-hidden="true">
      <span className="chat-skeleton" style={{ inlineSize: `${width}%`, blockSize: `${height}rem` }} />
    </div>
  )
}
