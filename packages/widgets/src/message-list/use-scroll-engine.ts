import { useState, useSyncExternalStore } from 'react'
import { type Opening, ScrollEngine, type ScrollView } from './scroll-engine.ts'

/** One engine for the life of the component; only the first `opening` counts. */
export function useScrollEngine(opening: Opening = { at: 'end' }): ScrollEngine {
  const [engine] = useState(() => new ScrollEngine(opening))
  return engine
}

/** Reads one value of the view; renders again only when that value changes. */
export function useScrollView<Value>(engine: ScrollEngine, read: (view: ScrollView) => Value): Value {
  const get = () => read(engine.snapshot())
  return useSyncExternalStore(engine.subscribe, get, get)
}
