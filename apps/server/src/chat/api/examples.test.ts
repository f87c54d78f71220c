import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { endpoints } from '../../operations.ts'
import { Validator } from '../../platform/http/validate.ts'
import { examples } from './examples.ts'

/** The output of `npm run examples`. */
describe('the API page', () => {
  it('has an example of every endpoint, and no others', () => {
    const keys = endpoints.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(
      keys.filter((key) => !Object.hasOwn(examples, key)),
      [],
      'Collect the examples anew: npm run examples',
    )
    assert.deepEqual(
      Object.keys(examples).filter((key) => !keys.includes(key)),
      [],
    )
  })

  it('shows examples that match the schemas beside them', () => {
    for (const endpoint of endpoints) {
      const key = `${endpoint.method} ${endpoint.path}`
      const { body, answer, refused } = examples[key]!
      try {
        if (endpoint.body) new Validator(endpoint.body).check(body ?? {})
        if (!refused) new Validator(endpoint.answer).check(answer)
      } catch (error) {
        assert.fail(`${key}: ${JSON.stringify((error as { fields?: object }).fields)}. Run npm run examples.`)
      }
    }
  })

  it('shows an error only where no other response exists', () => {
    const refused = Object.entries(examples).flatMap(([key, example]) => (example.refused ? [key] : []))
    assert.deepEqual(refused, ['POST /channels/:type/:id/call', 'POST /calls/:id'])
  })
})
