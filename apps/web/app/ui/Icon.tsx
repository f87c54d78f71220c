/** Line drawings on a 24 by 24 grid. They say nothing by themselves: the control around them has the name. */
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
  people:
    'M15.5 19.5v-1a4 4 0 0 0-4-4h-4a4 4 0 0 0-4 4v1M13 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM20.5 19.5v-1a4 4 0 0 0-3-3.9M15 4.7a3.5 3.5 0 0 1 0 6.6',
  trash: 'M4.5 7h15M9.5 7V5a1 1 0 0 1 1-1h3a1 1 0 0 1 1 1v2M6.5 7l.8 12a1 1 0 0 0 1 1h7.4a1 1 0 0 0 1-1l.8-12',
  expand: 'M14 4.5h5.5V10M19.5 4.5 13 11M10 19.5H4.5V14M4.5 19.5 11 13',
  minimize: 'M5 12h14',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM14.8 12a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0z',
  mail: 'M4.5 6.5h15a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM4 7.5l8 6 8-6',
  copy: 'M9.5 8.5h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM5.5 15.5h-1v-10a1 1 0 0 1 1-1h10v1',
  bolt: 'M13 3.5 5.5 13.5H12l-1 7 7.5-10H12z',
  shield: 'M12 3.5 5 6v5.5c0 4.3 2.8 7.4 7 9 4.2-1.6 7-4.7 7-9V6zM9 11.8l2.2 2.2 4-4.2',
  clock: 'M12 7.5V12l3 1.8M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0z',
  side: 'M8 8l-4 4 4 4M16 8l4 4-4 4M4 12h16',
} as const

export type IconName = keyof typeof drawings

/** Style hooks: `.icon`; takes the colour of the text around it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" data-icon={name} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={drawings[name]} />
    </svg>
  )
}
