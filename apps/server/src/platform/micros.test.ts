import assert from 'node:assert/strict'
import fc from 'fast-check'
import { it } from 'vitest'
import { isoOf, microsOf } from './micros.ts'

it('times on the wire are RFC 3339 in UTC, trailing zeros dropped', () => {
  assert.equal(isoOf(1_709_287_200_120_034), '2024-03-01T10:00:00.120034Z')
  assert.equal(isoOf(1_709_287_200_120_000), '2024-03-01T10:00:00.12Z')
  assert.equal(isoOf(1_709_287_200_000_000), '2024-03-01T10:00:00Z')
  assert.equal(isoOf(1_709_287_200_000_001), '2024-03-01T10:00:00.000001Z')
})

it('any offset and precision is accepted, anything else is refused', () => {
  assert.equal(microsOf('2024-03-01T11:00:00.1234567+01:00'), 1_709_287_200_123_456)
  assert.equal(microsOf('2024-03-01t10:00:00z'), 1_709_287_200_000_000)
  for (const text of [
    '',
    'yesterday',
    '2024-03-01',
    '2024-13-01T00:00:00Z',
    '2024-03-01T10:00',
    '2024-03-01T10:00:00+1',
  ])
    assert.equal(microsOf(text), undefined, text)
})

it('[HTTP-33] a day or an hour that no calendar has is refused, and not moved to another', () => {
  for (const text of [
    '2024-02-30T00:00:00Z',
    '2023-02-29T10:00:00.5+02:00',
    '2100-02-29T10:00:00Z',
    '2024-04-31T10:00:00Z',
    '2024-00-10T10:00:00Z',
    '2024-01-00T10:00:00Z',
    '2024-01-32T10:00:00Z',
    '2024-03-01T24:00:00Z',
    '2024-03-01T24:00:00.000+01:00',
    '2024-03-01T23:60:00Z',
    '2024-03-01T23:59:60Z',
    '2024-03-01T10:00:00+24:00',
    '2024-03-01T10:00:00+01:60',
  ])
    assert.equal(microsOf(text), undefined, text)
  assert.equal(microsOf('2024-02-29T23:59:59Z'), 1_709_251_199_000_000)
  assert.equal(microsOf('2024-02-29T23:30:00-01:00'), 1_709_253_000_000_000)
})

it('[HTTP-26] an offset needs no colon, and a time without one is UTC', () => {
  for (const text of ['2024-03-01T10:00:00.5', '2024-03-01 10:00:00.500', '2024-03-01T15:30:00.5+0530'])
    assert.equal(microsOf(text), 1_709_287_200_500_000, text)
})

it('a time out of range is stored as the last representable one', () => {
  assert.equal(microsOf('9999-12-31T00:00:00Z'), Number.MAX_SAFE_INTEGER)
  assert.equal(microsOf('0001-01-01T00:00:00Z'), Number.MIN_SAFE_INTEGER)
})

it('a formatted time parses to the same value', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 4_102_444_800_000_000 }), (at) => microsOf(isoOf(at)) === at))
})
