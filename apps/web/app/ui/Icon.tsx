/**
 * Line drawings on a 24 by 24 grid. They have no accessible name: the control around them has one. Icons of a single
 * page are in that page's chunk, and those of parts that open later in `later-icons`.
 */
const drawings = {
  home: 'M4 11.5 12 5l8 6.5V19a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1z',
  building:
    'M5 20V6.2a1 1 0 0 1 .7-1l7-2.1a1 1 0 0 1 1.3 1V20M14 9.5l4.3 1.3a1 1 0 0 1 .7 1V20M3 20h18M8.5 8.5h2M8.5 12h2M8.5 15.5h2',
  chat: 'M20 11.5a7.5 7.5 0 0 1-11.2 6.5L4 19.5l1.5-4.6A7.5 7.5 0 1 1 20 11.5z',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4',
  signOut: 'M14 8V5.5a1 1 0 0 0-1-1H5.5a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1H13a1 1 0 0 0 1-1V16M10 12h10m-3-3 3 3-3 3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'm6 6 12 12M18 6 6 18',
  search: 'M16.5 16.5 20 20M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0z',
  left: 'm14.5 6-6 6 6 6',
  right: 'm9.5 6 6 6-6 6',
  up: 'm6 14.5 6-6 6 6',
  down: 'm6 9.5 6 6 6-6',
  plus: 'M12 5v14M5 12h14',
  check: 'm5 12.5 4.5 4.5L19 7.5',
} as const

export type IconName = keyof typeof drawings

export function Icon({ name }: { name: IconName }) {
  return <Drawing name={name} path={drawings[name]} />
}

/** Style hooks: `.icon`; inherits the text colour. */
export function Drawing({ name, path }: { name: string; path: string }) {
  return (
    <svg className="icon" data-icon={name} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  )
}
