import assert from 'node:assert/strict'
import { it } from 'vitest'
import { endpoints } from '../../operations.ts'
import { namedStatuses, statusesOf } from '../../testing/statuses.ts'

it('every endpoint responds with 201 if it creates something, as clients expect', () => {
  const keys = endpoints.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(
    namedStatuses.filter((key) => !keys.includes(key)),
    [],
    'no status of an endpoint that is gone',
  )
  // The responses of every test are checked against the same table.
  const wrong = endpoints
    .filter(({ method, path, status = 200 }) => !statusesOf(method, path).includes(status))
    .map(({ method, path, status }) => `${method} ${path}: ${status}`)
  assert.deepEqual(wrong, [])
})
