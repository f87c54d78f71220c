import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import type { PaceRule } from './known-configs.ts'
import { Pace } from './pace.ts'

const flag: PaceRule = { by: 'velocity', does: 'flag', threshold: 3, seconds: 60 }

describe('the message rate of a user', () => {
  it('is too high from the threshold on, within the time window', () => {
    const { write, clock } = writing([flag])
    assert.deepEqual(
      ['one', 'two', 'three', 'four'].map((text) => write(text)?.does),
      [undefined, undefined, 'flag', 'flag'],
    )
    clock.advance(60_000)
    assert.equal(write('five'), undefined)
    clock.advance(59_999)
    assert.deepEqual([write('six')?.does, write('seven')?.does], [undefined, 'flag'])
  })

  it('is counted per user and app', () => {
    const { write } = writing([{ ...flag, threshold: 2 }])
    assert.equal(write('one'), undefined)
    assert.equal(write('one', { user: 'bo' }), undefined)
    assert.equal(write('one', { app: 'another' }), undefined)
    assert.deepEqual(write('two'), { does: 'flag', by: 'velocity', text: 'two' })
  })

  it('can count only messages with links', () => {
    const { write } = writing([{ ...flag, threshold: 2, onlyLinks: true }])
    assert.deepEqual(
      ['http://a.example', 'no link', 'WWW.b.example', 'no link', 'https://c.example'].map((text) => write(text)?.does),
      [undefined, undefined, 'flag', undefined, 'flag'],
    )
  })

  it('can count only messages with equal or similar texts', () => {
    const identical = writing([{ ...flag, by: 'flood', threshold: 2, same: 'identical' }]).write
    assert.deepEqual(
      ['Buy!', 'Buuuy!!!', ' BUY! ', 'else'].map((text) => identical(text)?.by),
      [undefined, undefined, 'flood', undefined],
    )
    const similar = writing([{ ...flag, by: 'flood', threshold: 2, same: 'similar' }]).write
    assert.deepEqual(
      ['Buy!', 'b-u-u-u-y', 'bye', '!b u y?'].map((text) => similar(text)?.by),
      [undefined, 'flood', undefined, 'flood'],
    )
  })

  it('ignores repeated texts that are allowed, unless it is too high', () => {
    const rules: PaceRule[] = [{ ...flag, by: 'flood', threshold: 1 }]
    assert.equal(writing(rules, ['good morning']).write('Good  morning'), undefined)
    assert.equal(writing(rules, ['good morning']).write('Good evening')?.by, 'flood')
    assert.equal(writing([{ ...flag, threshold: 1 }], ['good morning']).write('good morning')?.by, 'velocity')
  })

  it('has the action of the strongest matching rule', () => {
    const remove: PaceRule = { ...flag, does: 'ban', threshold: 1 }
    for (const rules of [
      [{ ...flag, threshold: 1 }, remove],
      [remove, { ...flag, threshold: 1 }],
    ])
      assert.equal(writing(rules).write('one')?.does, 'ban')
    assert.equal(writing([]).write('one'), undefined)
  })

  it('is remembered for an hour, and for a hundred messages', () => {
    const { write, clock } = writing([{ ...flag, threshold: 2, seconds: 7_200 }])
    write('one')
    clock.advance(3_600_000)
    assert.equal(write('two'), undefined)
    const many = writing([{ ...flag, threshold: 101 }]).write
    for (let i = 0; i < 150; i++) assert.equal(many(`${i}`), undefined)
    const hundred = writing([{ ...flag, threshold: 100 }]).write
    for (let i = 1; i < 100; i++) assert.equal(hundred(`${i}`), undefined)
    assert.equal(hundred('100')?.does, 'flag')
  })

  it('is forgotten for the least recently active user when there are too many', () => {
    const { write } = writing([{ ...flag, threshold: 2 }])
    for (let i = 0; i < 10_001; i++) write('one', { user: `user-${i}` })
    assert.equal(write('two', { user: 'user-10000' })?.does, 'flag')
    assert.equal(write('two', { user: 'user-1' })?.does, 'flag')
    assert.equal(write('two', { user: 'user-0' }), undefined)
  })
})

function writing(pace: PaceRule[], allowed: string[] = []) {
  const clock = new FakeClock()
  clock.stop(0)
  const counted = new Pace(clock)
  const write = (text: string, { app = 'app', user = 'ada' } = {}) =>
    counted.verdictOn(app, user, text, { pace, allowed: new Set(allowed) })
  return { clock, write }
}
