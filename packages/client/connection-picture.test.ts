import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'vitest'
import { drawn, page } from './connection-picture.ts'

it('the diagram of the connection in the docs equals the one drawn from the code', () => {
  const text = readFileSync(page, 'utf8')
  assert.equal(text, drawn(text), 'bring it up to date: node packages/client/connection-picture.ts')
})
