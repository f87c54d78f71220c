import assert from 'node:assert/strict'
import { it } from 'vitest'
import { endpoints } from '../operations.ts'
import { namedStatuses, statusesOf } from '../testing/statuses.ts'

it('every endpoint says with its status whether something was made, as clients expect it', () => {
  const keys = endpoints.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(
    namedStatuses.filter((key) => !keys.includes(key)),
    [],
    'no status of an endpoint that is gone',
  )
  // What each call of each story is answered with is held against the same table.
  const wrong = endpoints
    .filter(({ method, path, status = 200 }) => !statusesOf(method, path).includes(status))
    .map(({ method, path, status }) => `${method} ${path}: ${status}`)
  assert.deepEqual(wrong, [])
})
