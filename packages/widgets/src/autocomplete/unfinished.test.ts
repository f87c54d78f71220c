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
  it.each([
    ['今日は@|', ''],
    ['今日は、@ad|', 'ad'],
    ['请@ad|', 'ad'],
    ['안녕@김|', '김'],
    ['สวัสดี@a|', 'a'],
    ['Hello,@ad|', 'ad'],
    ['Bo/@ad|', 'ad'],
    ['👍@ad|', 'ad'],
    ['❤️@ad|', 'ad'],
    ['۔@ad|', 'ad'],
    ['「@ad|', 'ad'],
    ['«@ad|', 'ad'],
    ['Hello ＠ad|', 'ad'],
    ['见＠|', ''],
    ['see https://x.example、@ad|', 'ad'],
  ])('is a user in %j', (text, query) => expect(at(text)).toMatchObject({ kind: 'mention', query }))

  it.each(['ada@ex|', 'имя@ex|', 'اسم@ex|', 'https://x.example/@ada|', 'www.x.example/@ada|', 'नाम@ex|'])(
    'is no user in %j: it is an address',
    (text) => expect(at(text)).toBeUndefined(),
  )

  it.each([
    ['すごい:sm|', 'sm'],
    ['很好，:sm|', 'sm'],
    ['좋아:+1|', '+1'],
    ['Hello,:sm|', 'sm'],
    ['a/:sm|', 'sm'],
    ['🎉:sm|', 'sm'],
    ['、：笑顔|', '笑顔'],
  ])('is an emoji in %j', (text, query) => expect(at(text)).toMatchObject({ kind: 'emoji', query }))

  it.each(['他说：你好|', '注意:重要|', 'Note:ok|', '10:30|', 'https://x.example/:ab|'])(
    'is no emoji in %j: a colon is punctuation, too',
    (text) => expect(at(text)).toBeUndefined(),
  )
})
