/** The colours and shapes of a portrait. They are lists, so that a seed picks one of each. */
const grounds = ['#ddd6fe', '#fbcfe8', '#bfdbfe', '#bbf7d0', '#fed7aa', '#fde68a', '#a5f3fc', '#e9d5ff']
const skins = ['#f6d7c3', '#eebf9d', '#d9a066', '#b87a4b', '#8d5524', '#5c3a21']
const hairs = ['#1c1917', '#3f2a1d', '#6b4423', '#a16207', '#d6a75c', '#9ca3af', '#7c2d12', '#27272a']
const shirts = ['#6d28d9', '#1d4ed8', '#0f766e', '#be185d', '#b45309', '#334155', '#15803d', '#4338ca']

/** Hair drawn behind the head, and hair drawn over it. The head is a circle of radius 14 around 32, 27. */
const cuts: { behind?: string; over: string }[] = [
  { over: 'M17.5 27c-1-11 6-16 14.5-16s15.5 5 14.5 16c-2-5-4-8-7-9.5-6 2.5-15 2-18 .5-2 2-3.5 5-4 9z' },
  {
    behind: 'M15 26c0-11 7-17 17-17s17 6 17 17v17c-5 3-29 3-34 0z',
    over: 'M18 26c1-8 6-12 14-12s13 4 14 12c-5-1-9-4-11-7-3 4-11 7-17 7z',
  },
  { over: 'M18 23c0-9 6-13 14-13s14 4 14 13c-4-4-8-5-14-5s-10 1-14 5z' },
  {
    behind: 'M22 10a10 8 0 0 1 20 0 6 6 0 0 1-20 0z',
    over: 'M17.5 26c0-10 6-14.5 14.5-14.5S46.5 16 46.5 26c-3-6-8-8-14.5-8s-11.5 2-14.5 8z',
  },
  {
    behind: 'M12 27a11 11 0 0 1 8-14 14 14 0 0 1 24 0 11 11 0 0 1 8 14 10 10 0 0 1-9 11H21a10 10 0 0 1-9-11z',
    over: 'M19 24c1-7 6-10 13-10s12 3 13 10c-4-2-8-3-13-3s-9 1-13 3z',
  },
  { over: 'M20 17c3-5 8-6 12-6 5 0 9 2 12 6-4-1-8-1.5-12-1.5S24 16 20 17z' },
]

/** A small friendly portrait as SVG. The same id always gives the same picture; it loads nothing. */
export function drawPortrait(id: string): string {
  const pick = picker(id)
  const [ground, skin, hair, shirt, cut] = [pick(grounds), pick(skins), pick(hairs), pick(shirts), pick(cuts)]
  const glasses = pick([false, false, false, true])
  const behind = cut.behind ? `<path d="${cut.behind}" fill="${hair}"/>` : ''
  const frames = glasses
    ? '<path d="M21.5 27.5a4 4 0 1 0 8 0 4 4 0 1 0-8 0m13 0a4 4 0 1 0 8 0 4 4 0 1 0-8 0m-5-.5c1-1 4-1 5 0" fill="none" stroke="#27272a" stroke-width="1.4"/>'
    : ''
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="128" height="128">',
    `<rect width="64" height="64" fill="${ground}"/>`,
    behind,
    `<path d="M26 36h12v8c0 4-12 4-12 0z" fill="${skin}"/>`,
    `<path d="M8 66c0-15 9-22 18-23 3 3 9 3 12 0 9 1 18 8 18 23z" fill="${shirt}"/>`,
    `<circle cx="32" cy="27" r="14" fill="${skin}"/>`,
    `<path d="${cut.over}" fill="${hair}"/>`,
    '<circle cx="26" cy="28" r="1.6" fill="#27272a"/><circle cx="38" cy="28" r="1.6" fill="#27272a"/>',
    '<path d="M27 34c2.5 2.5 7.5 2.5 10 0" fill="none" stroke="#27272a" stroke-opacity=".7" stroke-width="1.6" stroke-linecap="round"/>',
    frames,
    '</svg>',
  ].join('')
}

/** Picks from lists, always the same sequence for the same seed. */
function picker(seed: string): <Item>(items: readonly Item[]) => Item {
  let state = 2_166_136_261
  for (const character of seed) state = Math.imul(state ^ character.codePointAt(0)!, 16_777_619)
  return (items) => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519)
    state = Math.imul(state ^ (state >>> 13), 3_266_489_917)
    state ^= state >>> 16
    return items[(state >>> 0) % items.length]!
  }
}
