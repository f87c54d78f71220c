import { type RefObject, useEffect, useState } from 'react'
import { loadedMarks } from '../messages/marks.ts'

/** The mouse selection in one list: the rows at both ends, in their order on the page. */
interface SelectedRows {
  first: string
  last: string
}

/**
 * The rows that a selection spans. They stay in the document while it lasts; otherwise it would lose rows that scroll
 * away.
 */
export function useSelectedRows(list: RefObject<HTMLElement | null>): SelectedRows | undefined {
  const [rows, setRows] = useState<SelectedRows>()
  useEffect(() => {
    const look = () => {
      const now = list.current ? selectedIn(list.current) : undefined
      setRows((before) => (before?.first === now?.first && before?.last === now?.last ? before : now))
    }
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [list])
  return rows
}

/** The text of the part of the selection inside an element. */
export function selectedText(element: HTMLElement | null): string {
  const selection = document.getSelection()
  if (!element || !selection?.rangeCount || !selection.containsNode(element, true)) return ''
  const range = selection.getRangeAt(0).cloneRange()
  if (range.comparePoint(element, 0) >= 0) range.setStart(element, 0)
  if (range.comparePoint(element, element.childNodes.length) <= 0) range.setEnd(element, element.childNodes.length)
  const fragment = range.cloneContents()
  return (loadedMarks()?.textOf(fragment) ?? fragment.textContent ?? '').trim()
}

function selectedIn(list: HTMLElement): SelectedRows | undefined {
  const selection = document.getSelection()
  if (!selection?.rangeCount || selection.isCollapsed) return undefined
  const range = selection.getRangeAt(0)
  const first = rowAt(list, range.startContainer)
  const last = rowAt(list, range.endContainer)
  return first !== undefined && last !== undefined ? { first, last } : undefined
}

function rowAt(list: HTMLElement, node: Node): string | undefined {
  const element = node instanceof Element ? node : node.parentElement
  return list.contains(element) ? element?.closest<HTMLElement>('[data-key]')?.dataset.key : undefined
}
