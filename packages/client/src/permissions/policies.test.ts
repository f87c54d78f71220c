import assert from 'node:assert/strict'
import { it } from 'vitest'
import { AllowAll, DenyAll } from '../server.ts'

it('[PERM-16] "Allow all" is the first of the default policies', () => {
  assert.deepEqual([AllowAll.name, AllowAll.priority, AllowAll.action], ['Allow all', 999, 'Allow'])
})

it('[PERM-17] "Deny all" is the last of the default policies', () => {
  assert.deepEqual([DenyAll.name, DenyAll.priority, DenyAll.action], ['Deny all', 1, 'Deny'])
})
