import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { checkCondition, type Facts, holds } from './condition.ts'

const facts: Facts = {
  subject: { id: 'ada', age: 30, teams: ['red', 'blue'], mood: 'sunny', shop: { city: 'Lyon' }, nothing: null },
  resource: { type: 'messaging', seats: 6, tags: [] },
}

/** Conditions by whether they match Ada in a room with six seats. */
const conditions: Record<string, object[]> = {
  holds: [
    {},
    { '$subject.mood': 'sunny', '$resource.type': 'messaging' },
    { '$subject.mood': { $eq: 'sunny' } },
    { '$subject.teams': { $eq: 'red' } },
    { '$subject.mood': { $ne: 'rainy' } },
    { '$subject.teams': { $ne: 'green' } },
    { '$subject.mood': { $in: ['rainy', 'sunny'] } },
    { '$subject.teams': { $in: ['green', 'blue'] } },
    { '$subject.mood': { $nin: ['rainy'] } },
    { '$subject.teams': { $nin: ['green'] } },
    { '$subject.age': { $gt: 29 } },
    { '$subject.age': { $gte: 30, $lte: 30 } },
    { '$subject.age': { $lt: 31 } },
    { '$subject.mood': { $gt: 'rainy', $lt: 'windy', $gte: 'sunny', $lte: 'sunny' } },
    { '$subject.mood': { $exists: true } },
    { '$subject.nothing': { $exists: false } },
    { '$resource.mood': { $exists: false } },
    { '$subject.shop.city': 'Lyon' },
    { '$subject.shop.street': { $exists: false } },
    { '$subject.mood.length': { $exists: false } },
    { $and: [{ '$subject.age': 30 }, { '$resource.seats': 6 }] },
    { $or: [{ '$subject.age': 31 }, { '$resource.seats': 6 }] },
    { $nor: [{ '$subject.age': 31 }, { '$resource.seats': 7 }] },
  ],
  'does not hold': [
    { '$subject.mood': 'rainy' },
    { '$subject.mood': 'sunny', '$resource.type': 'team' },
    { '$resource.mood': 'sunny' },
    { '$subject.teams': { $eq: 'green' } },
    { '$subject.mood': { $ne: 'sunny' } },
    { '$subject.teams': { $ne: 'red' } },
    { '$subject.mood': { $in: ['rainy'] } },
    { '$subject.teams': { $in: ['green'] } },
    { '$subject.mood': { $nin: ['rainy', 'sunny'] } },
    { '$subject.teams': { $nin: ['green', 'blue'] } },
    { '$subject.age': { $gt: 30 } },
    { '$subject.age': { $gte: 31 } },
    { '$subject.age': { $lt: 30 } },
    { '$subject.age': { $lte: 29 } },
    { '$subject.age': { $gte: 30, $lt: 30 } },
    { '$subject.mood': { $gt: 'sunny' } },
    { '$subject.mood': { $lt: 'sunny' } },
    { '$subject.mood': { $exists: false } },
    { '$subject.nothing': { $exists: true } },
    // A missing value, or one of another type, never matches.
    { '$resource.mood': { $ne: 'rainy' } },
    { '$resource.mood': { $nin: ['rainy'] } },
    { '$resource.mood': { $eq: false } },
    { '$subject.toString': { $exists: true } },
    { '$subject.age': { $gt: '20', $lte: 40 } },
    { '$subject.age': { $lte: '40' } },
    { '$subject.mood': { $gte: 1 } },
    { '$subject.teams': { $gte: 'a' } },
    { $and: [{ '$subject.age': 30 }, { '$resource.seats': 7 }] },
    { $or: [{ '$subject.age': 31 }, { '$resource.seats': 7 }] },
    { $or: [] },
    { $nor: [{ '$subject.age': 30 }, { '$resource.seats': 7 }] },
  ],
}

describe('a condition', () => {
  for (const [outcome, those] of Object.entries(conditions))
    for (const condition of those)
      it(`${outcome}: ${JSON.stringify(condition)}`, () => {
        checkCondition(condition as Record<string, unknown>)
        assert.equal(holds(condition as Record<string, unknown>, facts), outcome === 'holds')
      })

  for (const [condition, problem] of [
    [{ mood: 'sunny' }, '"mood" is neither'],
    [{ '$subject.': 1 }, '"$subject." is neither'],
    [{ 'a.$subject.mood': 1 }, 'is neither'],
    [{ '$subject.mood or so': 1 }, 'is neither'],
    [{ $or: { '$subject.mood': 1 } }, '$or takes a list of conditions'],
    [{ $and: [{ '$subject.mood': 1 }, 'sunny'] }, '$and takes a list of conditions'],
    [{ $or: [{ mood: 'sunny' }] }, '"mood" is neither'],
    [{ '$subject.mood': { $like: 'sun' } }, 'unknown operator $like'],
    [{ '$subject.mood': { toString: 'sun' } }, 'unknown operator toString'],
    [{ '$subject.mood': { $eq: 1, $in: 'sunny' } }, '$in takes a list'],
    [{ '$subject.mood': { $nin: 'sunny' } }, '$nin takes a list'],
  ] as const)
    it(`is refused: ${JSON.stringify(condition)}`, () => {
      assert.throws(
        () => checkCondition(condition),
        ({ kind, message, fields }) => kind === 'InputError' && message.includes(problem) && 'condition' in fields,
      )
    })

  it('is nested five deep, and no deeper', () => {
    const nested = (depth: number): Record<string, unknown> =>
      depth === 0 ? { '$subject.mood': 'sunny' } : { $and: [nested(depth - 1)] }
    checkCondition(nested(5))
    assert.equal(holds(nested(5), facts), true)
    assert.throws(() => checkCondition(nested(6)), { kind: 'InputError' })
  })
})
