import { type RefObject, useLayoutEffect, useRef } from 'react'

/** The value of the last render, for what began in an earlier one and is called later: a listener, a timer, an end. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
