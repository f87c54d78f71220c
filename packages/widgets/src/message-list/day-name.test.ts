import { expect, it } from 'vitest'
import { dayName, dayWithin } from './day-name.ts'

it('names a day as a title, and within a sentence', () => {
  const today = new Date(2026, 5, 10)
  const names = [10, 9, 8, 1].map((day) => new Date(2026, 5, day))
  expect(names.map((day) => dayName('en', day, today))).toEqual(['Today', 'Yesterday', 'Monday', 'June 1'])
  expect(names.map((day) => dayWithin('en', day, today))).toEqual(['today', 'yesterday', 'Monday', 'June 1'])
  expect(names.map((day) => dayName('fr', day, today))).toEqual(['Aujourd’hui', 'Hier', 'Lundi', '1 juin'])
  expect(names.map((day) => dayWithin('fr', day, today))).toEqual(['aujourd’hui', 'hier', 'lundi', '1 juin'])
})
