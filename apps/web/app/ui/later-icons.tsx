import { Drawing } from './Icon.tsx'

const people =
  'M15.5 19.5v-1a4 4 0 0 0-4-4h-4a4 4 0 0 0-4 4v1M13 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM20.5 19.5v-1a4 4 0 0 0-3-3.9M15 4.7a3.5 3.5 0 0 1 0 6.6'
const trash = 'M4.5 7h15M9.5 7V5a1 1 0 0 1 1-1h3a1 1 0 0 1 1 1v2M6.5 7l.8 12a1 1 0 0 0 1 1h7.4a1 1 0 0 0 1-1l.8-12'

export function PeopleIcon() {
  return <Drawing name="people" path={people} />
}

export function TrashIcon() {
  return <Drawing name="trash" path={trash} />
}
