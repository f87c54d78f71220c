import { expect, it } from 'vitest'
import { filterOf } from './search-place.ts'

it('asks for nothing more than the words, unless told', () => {
  expect(filterOf({}, 'ada')).toBeUndefined()
})

it('asks for whoever said it, and for what concerns the reader', () => {
  expect(filterOf({ from: 'bo', files: true, mentions: true }, 'ada')).toEqual({
    'user.id': 'bo',
    attachments: { $exists: true },
    'mentioned_users.id': { $contains: 'ada' },
  })
})

it('takes both days as whole days of the reader, the last one included', () => {
  expect(filterOf({ since: '2026-06-03', until: '2026-06-30' }, 'ada')).toEqual({
    created_at: { $gte: new Date(2026, 5, 3).toISOString(), $lt: new Date(2026, 6, 1).toISOString() },
  })
  expect(filterOf({ until: '2026-12-31' }, 'ada')).toEqual({
    created_at: { $lt: new Date(2027, 0, 1).toISOString() },
  })
})

it('an address that names no day narrows nothing', () => {
  expect(filterOf({ since: 'soon', until: '' }, 'ada')).toBeUndefined()
})
