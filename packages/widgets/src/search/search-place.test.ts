import { expect, it } from 'vitest'
import { filterOf } from './search-place.ts'

it('sends only the query by default', () => {
  expect(filterOf({}, 'ada')).toBeUndefined()
})

it('filters by sender, and by relevance to the reader', () => {
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

it('an address with an invalid day filters nothing', () => {
  expect(filterOf({ since: 'soon', until: '' }, 'ada')).toBeUndefined()
})
