/** The pictures in the demo conversations, drawn by us. */

const WIDTH = 1200
const HEIGHT = 800
const HORIZON = 520

export type PictureName = keyof typeof pictures

/** The pictures as SVG, by file name. */
export const pictures = {
  'wind-farm-morning.jpg': () =>
    scene(
      sky('#3b5b92', '#f2b391', '#ffe3c2'),
      sun(330, HORIZON - 40, 74, '#fff3d6'),
      sea('#7f8fb5', '#33507f'),
      glitter(330, '#ffe9c9'),
      turbine(620, HORIZON + 6, 0.34, 10),
      turbine(770, HORIZON + 12, 0.46, 47),
      turbine(1010, HORIZON + 40, 0.78, 81),
      turbine(480, HORIZON + 2, 0.26, 93),
      turbine(120, HORIZON + 20, 0.56, 65),
    ),
  'wind-farm-boat.jpg': () =>
    scene(
      sky('#4f86c6', '#a9cdea', '#eaf5fb'),
      cloud(220, 150, 1.1),
      cloud(860, 230, 0.8),
      sea('#5f9bb8', '#1f5673'),
      turbine(250, HORIZON + 14, 0.6, 20),
      turbine(960, HORIZON + 8, 0.5, 75),
      turbine(1100, HORIZON + 3, 0.34, 44),
      boat(620, HORIZON + 150),
    ),
  'turbine-from-below.jpg': () =>
    scene(
      sky('#2f6fb7', '#6aa7dd', '#b9daf2'),
      cloud(180, 560, 1.5),
      cloud(920, 160, 1.2),
      cloud(820, 640, 1.0),
      turbine(600, 1_180, 2.6, 33),
    ),
  'by-the-elbe.jpg': () =>
    scene(
      sky('#2a2350', '#8a4a78', '#f0a079'),
      sun(880, HORIZON - 14, 60, '#ffd9a8'),
      cranes(),
      sea('#b87f86', '#3a2c57'),
      glitter(880, '#ffcf9e'),
      terrace(),
    ),
}

function scene(...parts: string[]): string {
  const size = `width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${parts.join('')}</svg>`
}

function sky(top: string, middle: string, bottom: string): string {
  return `${fade('sky', [top, middle, bottom])}<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>`
}

function sea(near: string, far: string): string {
  const waves = Array.from({ length: 14 }, (_, i) => {
    const y = HORIZON + 12 + i * i * 1.5
    const x = (i * 397) % 900
    return `<path d="M${x} ${y}q60 -${2 + i / 2} 120 0t120 0" stroke="#fff" stroke-opacity=".14" fill="none" stroke-width="${1 + i / 4}"/>`
  })
  const water = `<rect y="${HORIZON}" width="${WIDTH}" height="${HEIGHT - HORIZON}" fill="url(#sea)"/>`
  return fade('sea', [near, far]) + water + waves.join('')
}

function fade(id: string, colours: string[]): string {
  const stops = colours.map((colour, i) => `<stop offset="${i / (colours.length - 1)}" stop-color="${colour}"/>`)
  return `<linearGradient id="${id}" x2="0" y2="1">${stops.join('')}</linearGradient>`
}

function sun(x: number, y: number, r: number, colour: string): string {
  const halo = `<circle cx="${x}" cy="${y}" r="${r * 2}" fill="${colour}" opacity=".18"/>`
  return `${halo}<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}"/>`
}

/** The light of the sun on the water below it. */
function glitter(x: number, colour: string): string {
  return Array.from({ length: 12 }, (_, i) => {
    const width = 60 + ((i * 53) % 90)
    const left = x - width / 2 + ((i * 31) % 40) - 20
    return `<rect x="${left}" y="${HORIZON + 10 + i * 21}" width="${width}" height="5" rx="2.5" fill="${colour}" opacity="${0.5 - i * 0.035}"/>`
  }).join('')
}

function cloud(x: number, y: number, size: number): string {
  const puffs = [
    [0, 0, 60],
    [70, -24, 76],
    [150, -6, 58],
    [210, 10, 40],
    [-60, 14, 40],
  ].map(([dx = 0, dy = 0, r = 0]) => `<circle cx="${dx}" cy="${dy}" r="${r}"/>`)
  const base = '<rect x="-100" y="6" width="350" height="54" rx="27"/>'
  return `<g transform="translate(${x} ${y}) scale(${size})" fill="#fff" opacity=".72">${puffs.join('')}${base}</g>`
}

/** @param angle of the first blade, in degrees */
function turbine(x: number, foot: number, size: number, angle: number): string {
  const blade = 'M0 0C14 -40 12 -150 2 -232C-10 -150 -12 -60 -7 0Z'
  const blades = [0, 120, 240].map((turn) => `<path d="${blade}" transform="rotate(${angle + turn})" fill="#fbfcfd"/>`)
  const tower = '<path d="M-13 0L-6 -400H6L13 0Z" fill="#e6ebf0"/><path d="M4 0L1 -400H6L13 0Z" fill="#c4cfda"/>'
  const hub = `<g transform="translate(0 -404)"><rect x="-9" y="-10" width="34" height="20" rx="8" fill="#d6dee6"/>${blades.join('')}<circle r="11" fill="#e6ebf0"/></g>`
  return `<g transform="translate(${x} ${foot}) scale(${size})">${tower}${hub}</g>`
}

function boat(x: number, y: number): string {
  const wake =
    '<path d="M-190 26q90 -16 180 0t220 6" stroke="#fff" stroke-width="10" fill="none" opacity=".5" stroke-linecap="round"/>'
  const hull =
    '<path d="M-150 -34H170L128 28H-118Z" fill="#b3261e"/><path d="M-150 -34H170L160 -18H-146Z" fill="#fff"/>'
  const house =
    '<path d="M-40 -34V-104H70L92 -34Z" fill="#f4f6f8"/><path d="M-24 -92H64L72 -66H-24Z" fill="#23415c"/><rect x="0" y="-150" width="6" height="46" fill="#5c6b78"/>'
  return `<g transform="translate(${x} ${y})">${wake}${hull}${house}</g>`
}

/** The other bank: cranes at the quay, and a ship that is being loaded. */
function cranes(): string {
  const crane = (x: number) =>
    `<path d="M${x} ${HORIZON}V${HORIZON - 130}h70V${HORIZON}m-70 -74h70M${x - 70} ${HORIZON - 138}H${x + 170}L${x + 35} ${HORIZON - 196}Z" stroke="#332347" stroke-width="8" fill="none"/>`
  const boxes = Array.from(
    { length: 21 },
    (_, i) =>
      `<rect x="${210 + (i % 7) * 46}" y="${HORIZON - 72 - Math.floor(i / 7) * 22}" width="42" height="20" fill="${['#8c3f5a', '#5b4a8a', '#b0653f'][(i * 5) % 3]}"/>`,
  )
  const hull = `<path d="M150 ${HORIZON - 50}H600L570 ${HORIZON}H180Z" fill="#2b1d3d"/><rect x="545" y="${HORIZON - 120}" width="40" height="72" fill="#4a3a63"/>`
  return [60, 640, 1010].map(crane).join('') + boxes.join('') + hull
}

/** A table for five, with lights above it. */
function terrace(): string {
  const lights = Array.from(
    { length: 13 },
    (_, i) =>
      `<circle cx="${i * 100}" cy="${88 + Math.sin((i / 12) * Math.PI * 3) * 26}" r="11" fill="#ffe2a8"/><circle cx="${i * 100}" cy="${88 + Math.sin((i / 12) * Math.PI * 3) * 26}" r="26" fill="#ffe2a8" opacity=".22"/>`,
  )
  const chair = (x: number) =>
    `<path d="M${x} 650v150M${x + 70} 650v150M${x} 660h70M${x} 720h70" stroke="#1c1330" stroke-width="12" stroke-linecap="round"/>`
  const table =
    '<rect x="250" y="690" width="700" height="26" rx="13" fill="#f6ece2"/><path d="M320 716v84M880 716v84" stroke="#1c1330" stroke-width="14"/>'
  const glasses = [360, 480, 600, 720, 840].map(
    (x) =>
      `<path d="M${x - 15} 628h30q0 34 -15 38q-15 -4 -15 -38Z" fill="#ffd9a8" opacity=".9"/><path d="M${x} 664v22m-12 2h24" stroke="#fff2e0" stroke-width="4"/>`,
  )
  return lights.join('') + [290, 430, 565, 700, 840].map(chair).join('') + table + glasses.join('')
}
