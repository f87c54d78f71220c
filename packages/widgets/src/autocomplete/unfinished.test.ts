import { describe, expect, it } from 'vitest'
import { unfinishedAt } from './unfinished.ts'

const at = (text: string) => unfinishedAt(text.replace('|', ''), text.indexOf('|'))

describe('the word at the caret', () => {
  it('is a command only at the very start, and only as a whole', () => {
    expect(at('/|')).toEqual({ kind: 'command', query: '', from: 0, to: 1 })
    expect(at('/gi|')).toEqual({ kind: 'command', query: 'gi', from: 0, to: 3 })
    expect(at('/gi|phy cats')).toBeUndefined()
    expect(at('and/or|')).toBeUndefined()
    expect(at('see /gi|')).toBeUndefined()
  })

  it('is a user after an @ that begins a word, also by two names', () => {
    expect(at('@|')).toEqual({ kind: 'mention', query: '', from: 0, to: 1 })
    expect(at('Hello (@an|')).toEqual({ kind: 'mention', query: 'an', from: 7, to: 10 })
    expect(at('Hello @ada ok|')).toEqual({ kind: 'mention', query: 'ada ok', from: 6, to: 13 })
    expect(at('ada@example|')).toBeUndefined()
  })

  it('is none after the space behind a name: Enter sends then', () => {
    expect(at('Hello @ada |')).toBeUndefined()
  })

  it('is an emoji from the second letter on, in any script', () => {
    expect(at('Great :ta|')).toEqual({ kind: 'emoji', query: 'ta', from: 6, to: 9 })
    expect(at(':घर|')).toEqual({ kind: 'emoji', query: 'घर', from: 0, to: 3 })
    expect(at(':t|')).toBeUndefined()
    expect(at('at 10:30|')).toBeUndefined()
    expect(at('https://ex|')).toBeUndefined()
  })
})
