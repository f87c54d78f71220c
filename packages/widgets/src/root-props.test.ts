import { expect, it } from 'vitest'
import { rootProps } from './root-props.ts'

it('merges class names and styles, and lets other attributes of the caller override', () => {
  const own = { className: 'chat-thing', style: { color: 'red', order: 1 }, 'aria-label': 'Thing', role: 'group' }
  const given = { className: 'mine', style: { color: 'blue' }, 'aria-label': 'My thing', 'data-test': 'x' }
  expect(rootProps(own, given)).toEqual({
    className: 'chat-thing mine',
    style: { color: 'blue', order: 1 },
    'aria-label': 'My thing',
    role: 'group',
    'data-test': 'x',
  })
})

it("calls both handlers, the caller's first", () => {
  const called: string[] = []
  const { onClick } = rootProps(
    { className: 'a', onClick: () => called.push('own') },
    { onClick: () => called.push('given') },
  )
  onClick?.({} as never)
  expect(called).toEqual(['given', 'own'])
})

it('sets both refs, clears both, and stays the same ref as long as the two do', () => {
  const own = { current: null as HTMLElement | null }
  const given = { current: null as HTMLElement | null }
  const element = {} as HTMLElement
  const { ref } = rootProps({ className: 'a', ref: own }, { ref: given })
  const end = (ref as (element: HTMLElement) => () => void)(element)
  expect([own.current, given.current]).toEqual([element, element])
  end()
  expect([own.current, given.current]).toEqual([null, null])
  expect(rootProps({ className: 'a', ref: own }, { ref: given }).ref).toBe(ref)
})
