/**
 * Derives the colours of a theme from one brand colour: a separate entry point, for use at build time or at run time.
 * It needs neither React nor a browser.
 */

/** The text, edge and mark colours of a theme, and their backgrounds: `--chat-` and one of these names. */
export type Colour = keyof typeof kit.light

/** Colours of a theme by name, each as `#rrggbb`. */
export type Colours = Record<Colour, string>

/** Custom colours that replace the derived ones. */
export interface OwnColours {
  light?: Partial<Colours>
  dark?: Partial<Colours>
}

/** The kit's own colours, as in tokens.css; a brand keeps their lightness, and uses its own hue. */
export const kit = {
  light: {
    background: '#ffffff',
    surface: '#f7f5fb',
    raised: '#ffffff',
    'own-bubble': '#ede7fb',
    'other-bubble': '#f3f1f7',
    selected: '#efe9fc',
    divider: '#e6e1ee',
    text: '#1b1722',
    'text-muted': '#5e5769',
    accent: '#6d28d9',
    'accent-hover': '#5b21b6',
    'on-accent': '#ffffff',
    link: '#5b21b6',
    danger: '#b42318',
    warning: '#8a4b00',
    success: '#0b6b3a',
    border: '#8a8296',
  },
  dark: {
    background: '#14111a',
    surface: '#1d1925',
    raised: '#262031',
    'own-bubble': '#35275a',
    'other-bubble': '#241f2e',
    selected: '#2c2342',
    divider: '#322b3e',
    text: '#f1eef7',
    'text-muted': '#b1a9bf',
    accent: '#b69cff',
    'accent-hover': '#cbb8ff',
    'on-accent': '#1b1034',
    link: '#cbb8ff',
    danger: '#ff9b91',
    warning: '#ffc069',
    success: '#6fd99f',
    border: '#8a8198',
  },
} as const

type Theme = keyof typeof kit

/** The background of all other text. */
export const grounds = ['background', 'surface', 'raised', 'own-bubble', 'other-bubble', 'selected'] as const
/** Colours with the same meaning in every brand. */
const signs = ['danger', 'warning', 'success']

/** Text on any background [WCAG 2.2, 1.4.3]. */
const WORDS = 4.5
/** The edges of controls [1.4.11]. */
const EDGES = 3
/** A background must leave that much contrast for the content on it. */
const ROOM = 7

/** The opacity of the accent over a hovered and over a pressed element. */
const veils = { light: { hover: 7, pressed: 13 }, dark: { hover: 9, pressed: 17 } }

/**
 * All colours of both themes from one: text has a contrast of at least 4.5:1 on every background, the edges of controls
 * 3:1. The brand's colour itself is the accent if it is readable; else a readable one of its hue.
 *
 * @param brand  `#rrggbb` or `#rgb`
 * @param own    custom colours; an unreadable one is refused, and the reason is logged
 * @throws Error if the brand's colour has another format
 */
export function brandColours(brand: string, own: OwnColours = {}): Record<Theme, Colours> {
  const colour = readColour(brand)
  if (!colour) throw new Error(`"${brand}" is not a colour that can be read; write it as #rrggbb.`)
  return { light: coloursOf('light', colour, own.light), dark: coloursOf('dark', colour, own.dark) }
}

/**
 * The same as a style sheet. Give its class to the chat, which keeps its light and dark themes: `<Chat theme="system"
 * className="our-brand">`.
 */
export function brandSheet(
  brand: string,
  { selector = '.our-brand', ...own }: OwnColours & { selector?: string } = {},
) {
  const colours = brandColours(brand, own)
  return (['light', 'dark'] as const)
    .map((theme) => {
      const lines = Object.entries(variablesOf(theme, colours[theme])).map(([name, value]) => `  ${name}: ${value};`)
      return `${selector}.chat-theme-${theme} {\n${lines.join('\n')}\n}\n`
    })
    .join('\n')
}

/** Including the hover and pressed overlays of a background. */
function variablesOf(theme: Theme, colours: Colours): Record<string, string> {
  const accent = Number.parseInt(colours.accent.slice(1), 16)
  const parts = [accent >> 16, (accent >> 8) & 255, accent & 255].join(' ')
  const { hover, pressed } = veils[theme]
  const named = Object.entries(colours).map(([name, value]) => [`--chat-${name}`, value])
  const over = { '--chat-hover': `rgb(${parts} / ${hover}%)`, '--chat-pressed': `rgb(${parts} / ${pressed}%)` }
  return { ...Object.fromEntries(named), ...over }
}

/** Lightness 0–1, chroma, and hue in radians [OKLCH]: equal steps look equal, whatever the hue. */
interface Lch {
  l: number
  c: number
  h: number
}

function coloursOf(theme: Theme, brand: string, own: Partial<Colours> = {}): Colours {
  const base = kit[theme]
  // In the direction away from the backgrounds.
  const away = theme === 'light' ? -1 : 1
  const from = lchOf(kit.light.accent)
  const to = lchOf(brand)
  // Most brands have less chroma than purple can have, and would leave the backgrounds grey.
  const scale = Math.min((1.6 * to.c) / from.c, 1)
  /** The kit's colour in the hue of the brand; a grey brand has grey backgrounds. */
  const inHue = (name: Colour) => {
    const { l, c, h } = lchOf(base[name])
    return signs.includes(name) ? { l, c, h } : { l, c: c * scale, h: h + to.h - from.h }
  }

  const found = {} as Colours
  const take = (name: Colour, derived: string, faultOf: (value: string) => string | undefined) => {
    const given = own[name]
    const wanted = given && readColour(given)
    const fault = given && (wanted ? faultOf(wanted) : 'it is not written as #rrggbb')
    if (fault) console.warn(`--chat-${name} in ${theme} cannot be ${given}: ${fault}. ${derived} is taken.`)
    found[name] = wanted && !fault ? wanted : derived
  }

  const extreme = theme === 'light' ? '#000000' : '#ffffff'
  for (const name of [...grounds, 'divider'] as const)
    take(name, hexOf(inHue(name)), (value) => faultOn([extreme], value, ROOM))

  const under = grounds.map((name) => found[name])
  const fit = (lch: Lch, least: number) => moved(lch, away, (value) => !faultOn(under, value, least))
  for (const name of ['text', 'text-muted', 'link', ...signs, 'border'] as Colour[]) {
    const least = name === 'border' ? EDGES : WORDS
    take(name, fit(inHue(name), least), (value) => faultOn(under, value, least))
  }
  const itself = faultOn(under, brand, WORDS) ? undefined : brand
  take('accent', itself ?? fit(inHue('accent'), WORDS), (value) => faultOn(under, value, WORDS))

  const accent = lchOf(found.accent)
  const step = lchOf(base['accent-hover']).l - lchOf(base.accent).l
  // Black and white are the limits.
  const further = accent.l + step > 0.12 && accent.l + step < 0.98 ? step : -step
  const shift = lchOf(base['accent-hover']).c / lchOf(base.accent).c
  const hovered = {
    l: accent.l + further,
    c: accent.c * shift,
    h: accent.h + lchOf(base['accent-hover']).h - lchOf(base.accent).h,
  }
  take('accent-hover', fit(hovered, WORDS), (value) => faultOn(under, value, WORDS))

  const pressed = [found.accent, found['accent-hover']]
  const words = moved(inHue('on-accent'), -away as 1 | -1, (value) => !faultOn(pressed, value, WORDS))
  take('on-accent', words, (value) => faultOn(pressed, value, WORDS))
  return found
}

/** The first colour with enough contrast, from this one towards black or white. */
function moved(lch: Lch, towards: 1 | -1, willDo: (value: string) => boolean): string {
  for (let { l } = lch; ; l += towards * 0.005) {
    const value = hexOf({ ...lch, l: Math.min(1, Math.max(0, l)) })
    if (l < 0 || l > 1 || willDo(value)) return value
  }
}

/** The reason why a colour is unreadable beside these, else undefined. */
function faultOn(others: readonly string[], value: string, least: number): string | undefined {
  const ratio = Math.min(...others.map((other) => contrast(other, value)))
  return ratio < least ? `it would have ${ratio.toFixed(1)}:1 where ${least}:1 are needed` : undefined
}

/** The contrast of two colours as WCAG 2.2 measures it, 1–21. */
export function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(colour: string): number {
  const [red, green, blue] = linear(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** @returns `#rrggbb`, or undefined for any format other than that and `#rgb` */
function readColour(text: string): string | undefined {
  const digits = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase()
  return digits && `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
}

/** Its linear components, 0–1. */
function linear(colour: string): [red: number, green: number, blue: number] {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
}

// Björn Ottosson's Oklab matrices, https://bottosson.github.io/posts/oklab/
function lchOf(colour: string): Lch {
  const [r, g, b] = linear(colour)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const z = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, z),
    h: Math.atan2(z, a),
  }
}

/** A colour outside the sRGB gamut loses as much of its chroma as it must. */
function hexOf({ l, c, h }: Lch): string {
  for (let chroma = c; ; chroma -= 0.004) {
    const parts = partsOf(l, Math.max(0, chroma), h)
    if (chroma <= 0 || parts.every((part) => part > -0.002 && part < 1.002))
      return `#${parts
        .map((part) =>
          Math.round(Math.min(1, Math.max(0, part)) * 255)
            .toString(16)
            .padStart(2, '0'),
        )
        .join('')}`
  }
}

function partsOf(lightness: number, chroma: number, hue: number): number[] {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055))
}
