import { type RefObject, useLayoutEffect, useRef } from 'react'

/** The value of the last render, for callbacks created in an earlier one: a listener, a timer, a cleanup. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
