/**
 * Draws the animations that `/giphy` returns when no gif service is set up. Run it after a change here and commit its
 * output:
 *
 *     node scripts/run.mjs scripts/draw-gifs.ts
 */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

const folder = join(import.meta.dirname, '../apps/server/src/features/gifs/pictures')
const FRAMES = 16
/** Frames of a picture that must load quickly. */
const FEW_FRAMES = 6
const LOOP_MS = 1_600
/** Pixels in both directions: what `fixed_height` and `fixed_width` promise, so one file serves for both. */
const SIZE = 200
const COLORS = 16

interface Picture {
  name: string
  title: string
  /** Search terms, in English. */
  tags: string
  ground: string
  /** The moment of the still picture; the beginning by default. */
  stillAt?: number
  /** `t` goes from 0 to 1 and the end meets the beginning; the canvas is 240 × 240. */
  draw(t: number): string
}

/** From 0 over 1 back to 0. */
const swing = (t: number) => (1 - Math.cos(2 * Math.PI * t)) / 2
/** From 0 over 1 and -1 back to 0. */
const sway = (t: number) => Math.sin(2 * Math.PI * t)
const phase = (t: number, by: number) => (t + by) % 1
const turned = (angle: number, x: number, y: number, what: string) =>
  `<g transform="rotate(${angle.toFixed(2)} ${x} ${y})">${what}</g>`
const scaled = (by: number, x: number, y: number, what: string) =>
  `<g transform="translate(${x} ${y}) scale(${by.toFixed(3)}) translate(${-x} ${-y})">${what}</g>`
const moved = (x: number, y: number, what: string) =>
  `<g transform="translate(${x.toFixed(2)} ${y.toFixed(2)})">${what}</g>`
const times = (count: number, draw: (i: number) => string) => Array.from({ length: count }, (_, i) => draw(i)).join('')
const line = (d: string, color: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
const dot = (x: number, y: number, r: number, color: string) =>
  `<circle cx="${x}" cy="${y.toFixed(2)}" r="${r}" fill="${color}"/>`

const ink = '#2b2d42'
const heartShape = 'M120 186 C40 132 56 66 92 66 C108 66 116 78 120 88 C124 78 132 66 148 66 C184 66 200 132 120 186 Z'
const cloudShape = 'M70 128 a30 30 0 0 1 8 -59 a44 44 0 0 1 84 4 a28 28 0 0 1 8 55 Z'

const pictures: Picture[] = [
  {
    name: 'wave',
    title: 'A hand that waves hello',
    tags: 'hello hi hey wave waving hand bye goodbye greetings welcome',
    ground: '#ffe8d6',
    draw: (t) =>
      turned(
        sway(t) * 18,
        120,
        190,
        `<g fill="#f4a261" stroke="#e07a3f" stroke-width="5" stroke-linejoin="round">
          <rect x="76" y="56" width="21" height="80" rx="10.5"/><rect x="98" y="42" width="21" height="90" rx="10.5"/>
          <rect x="120" y="46" width="21" height="90" rx="10.5"/><rect x="142" y="62" width="21" height="76" rx="10.5"/>
          <path d="M77 118 h86 v34 a43 43 0 0 1 -76 28 L52 142 a12 12 0 0 1 19 -15 L84 140 Z"/></g>
          <rect x="80" y="114" width="80" height="26" fill="#f4a261"/>`,
      ) +
      times(2, (i) =>
        line(`M${28 + i * 162} ${56 + i * 4} q${i ? 14 : -10} 22 0 44`, `#e07a3f`, swing(t) > 0.5 ? 6 : 3),
      ),
  },
  {
    name: 'heart',
    title: 'A beating heart',
    tags: 'heart love thanks thank you like sweet dear adore hug kiss',
    ground: '#ffe5ec',
    draw: (t) =>
      scaled(
        0.86 + 0.14 * Math.max(0, Math.sin(4 * Math.PI * t)) * (t < 0.5 ? 1 : 0),
        120,
        126,
        `<path d="${heartShape}" fill="#ef476f"/>${line('M84 92 q6 -10 18 -8', '#ffb3c6', 8)}`,
      ) +
      times(3, (i) => {
        const up = phase(t, i / 3)
        return moved(
          [-78, 74, 84][i]! + sway(phase(t, i / 3)) * 5,
          50 - up * 130,
          scaled(0.22 * (1 - up), 120, 120, `<path d="${heartShape}" fill="#ff8fab"/>`),
        )
      }),
  },
  {
    name: 'party',
    title: 'Confetti for something to celebrate',
    tags: 'party celebrate celebration congratulations congrats hooray yay birthday confetti win happy wow amazing great',
    ground: '#e7f0ff',
    draw: (t) =>
      times(22, (i) => {
        const fall = phase(t, (i * 7) / 22)
        const x = 12 + ((i * 47) % 216) + sway(phase(t, i / 5)) * 7
        const color = ['#ef476f', '#ffd166', '#06d6a0', '#118ab2', '#9b5de5'][i % 5]!
        const y = fall * 280 - 20
        return turned(t * 360 + i * 40, x, y, `<rect x="${x - 5}" y="${y - 3}" width="10" height="6" fill="${color}"/>`)
      }) +
      turned(
        sway(t) * 5 - 4,
        70,
        200,
        `<path d="M46 206 L84 112 L136 164 Z" fill="#ffd166"/><path d="M64 161 L87 184 M73 140 L108 174" stroke="#ef476f"
          stroke-width="9"/><ellipse cx="110" cy="138" rx="37" ry="15" transform="rotate(45 110 138)" fill="#f4a261"/>`,
      ),
  },
  {
    name: 'rocket',
    title: 'A rocket on its way',
    tags: 'rocket launch ship shipped go start fast space fly release deploy speed',
    ground: '#22223b',
    draw: (t) =>
      times(14, (i) =>
        dot(10 + ((i * 61) % 220), phase(t * (1 + (i % 2)), i / 14) * 260 - 10, 1.5 + (i % 3), '#9a8c98'),
      ) +
      moved(
        sway(t) * 3,
        sway(phase(t, 0.25)) * 4,
        `<path d="M104 168 q16 ${58 + 18 * swing(phase(t * 3, 0))} 32 0 Z" fill="#ff9f1c"/>
         <path d="M112 168 q8 ${34 + 12 * swing(phase(t * 3, 0.5))} 16 0 Z" fill="#ffe66d"/>
         <path d="M92 132 L70 172 L98 164 Z M148 132 L170 172 L142 164 Z" fill="#ef476f"/>
         <path d="M120 30 C160 70 158 128 142 170 H98 C82 128 80 70 120 30 Z" fill="#f2e9e4"/>
         <path d="M120 30 C134 44 142 60 146 76 H94 C98 60 106 44 120 30 Z" fill="#ef476f"/>
         <circle cx="120" cy="106" r="18" fill="#118ab2" stroke="#4a4e69" stroke-width="6"/>`,
      ),
  },
  {
    name: 'coffee',
    title: 'A steaming cup of coffee',
    tags: 'coffee tea break cup drink morning pause breakfast tired wake',
    ground: '#f5ebe0',
    draw: (t) =>
      times(3, (i) => {
        const x = 88 + i * 28
        const a = sway(phase(t, i / 3)) * 12
        return line(`M${x} 90 C${x + a} 74 ${x - a} 62 ${x} 44`, '#d5bdaf', 8)
      }) +
      `<path d="M168 124 h14 a26 26 0 0 1 0 52 h-20" fill="none" stroke="#bc6c25" stroke-width="13"/>
       <path d="M60 108 H172 V152 A44 44 0 0 1 128 196 H104 A44 44 0 0 1 60 152 Z" fill="#dda15e"/>
       <ellipse cx="116" cy="109" rx="56" ry="13" fill="#5e3023"/>
       ${line('M56 208 H176', '#bc6c25', 11)}`,
  },
  {
    name: 'cat',
    title: 'A cat that wags its tail',
    tags: 'cat cats kitten kitty meow animal pet cute purr',
    ground: '#e0fbfc',
    draw: (t) => {
      const blinks = t > 0.44 && t < 0.56
      const eye = (x: number) =>
        blinks ? line(`M${x - 8} 98 h16`, ink, 5) : dot(x, 98, 8, ink) + dot(x + 3, 95, 2.5, '#fff')
      return `${line(`M166 190 C${206 + sway(t) * 8} 190 ${196 + sway(t) * 24} 140 ${192 + sway(t) * 26} 118`, '#f4a261', 16)}
        <path d="M72 214 C66 150 90 130 120 130 C150 130 174 150 168 214 Z" fill="#f4a261"/>
        <path d="M66 84 L64 34 L100 58 Z M174 84 L176 34 L140 58 Z" fill="#f4a261"/>
        <path d="M72 66 L71 46 L88 58 Z M168 66 L169 46 L152 58 Z" fill="#ffcad4"/>
        <ellipse cx="120" cy="98" rx="58" ry="48" fill="#f7b267"/>
        <ellipse cx="120" cy="180" rx="26" ry="34" fill="#ffe8d6"/>
        ${eye(98)}${eye(142)}<path d="M113 114 h14 l-7 8 Z" fill="#e56b6f"/>
        ${line('M120 122 q-8 12 -18 6 M120 122 q8 12 18 6', ink, 4)}
        ${line('M78 112 l-24 -5 M78 120 l-24 4 M162 112 l24 -5 M162 120 l24 4', '#9c6644', 3)}`
    },
  },
  {
    name: 'thumbs-up',
    title: 'A thumb that goes up',
    tags: 'thumbs up thumb yes ok okay good agree agreed nice deal approve sure cool',
    ground: '#d8f3dc',
    draw: (t) =>
      moved(
        0,
        12 - 22 * swing(t),
        turned(
          -10 * swing(t),
          120,
          150,
          `<rect x="46" y="112" width="32" height="84" rx="8" fill="#2a9d8f"/>
           <path d="M86 118 L116 54 C124 38 148 46 142 68 L134 100 H178 C196 100 198 124 184 128 C196 134 192 152 180 154
             C188 162 182 176 170 178 C174 188 166 196 154 196 H110 C98 196 86 190 86 184 Z" fill="#ffcb77"/>
           ${line('M150 128 H180 M150 154 H176 M146 178 H168', '#e09f3e', 5)}`,
        ),
      ),
  },
  {
    name: 'laugh',
    title: 'A face that laughs',
    tags: 'laugh laughing haha lol funny joke happy smile fun rofl hilarious',
    ground: '#e9ecef',
    draw: (t) =>
      moved(
        0,
        swing(phase(t * 2, 0)) * 9 - 4,
        turned(
          sway(t) * 7,
          120,
          120,
          `${dot(120, 120, 82, '#ffd166')}
           ${line('M78 104 q14 -20 28 0 M134 104 q14 -20 28 0', ink, 8)}
           <path d="M72 126 H168 C166 176 140 190 120 190 C100 190 74 176 72 126 Z" fill="${ink}"/>
           <path d="M92 172 C104 158 136 158 148 172 C140 184 130 190 120 190 C110 190 100 184 92 172 Z" fill="#ef476f"/>
           <path d="M78 126 H162 V138 H78 Z" fill="#fff"/>`,
        ),
      ) +
      times(2, (i) => {
        const fall = phase(t * 2, i / 2)
        return moved(i ? 22 * fall : -22 * fall, 30 * fall, dot(i ? 196 : 44, 118, 9 * (1 - fall), '#4cc9f0'))
      }),
  },
  {
    name: 'done',
    title: 'A check mark that draws itself',
    tags: 'done check finished yes ready complete completed approved fixed success solved right correct',
    ground: '#edf6f9',
    stillAt: 0.7,
    draw(t) {
      const drawn = Math.min(1, Math.max(0, (t - 0.1) / 0.35))
      const gone = Math.max(0, (t - 0.9) / 0.1)
      const grown = 0.9 + 0.1 * swing(Math.min(1, Math.max(0, (t - 0.42) / 0.3)))
      return scaled(
        grown,
        120,
        120,
        `${dot(120, 120, 84, '#06d6a0')}<path d="M78 124 L108 154 L166 92" fill="none" stroke="#fff" stroke-width="19"
          stroke-linecap="round" stroke-linejoin="round" pathLength="100" opacity="${1 - gone}"
          stroke-dasharray="${(drawn * 100).toFixed(1)} 200" ${drawn === 0 ? 'stroke-opacity="0"' : ''}/>`,
      )
    },
  },
  {
    name: 'sun',
    title: 'A smiling sun',
    tags: 'sun sunny summer weather morning day warm holiday beach shine good vacation',
    ground: '#bde0fe',
    draw: (t) =>
      turned(
        t * 30,
        120,
        120,
        times(12, (i) =>
          turned(i * 30, 120, 120, line(`M120 ${32 - 6 * swing(phase(t, (i % 2) / 2))} V50`, '#fb8500', 12)),
        ),
      ) +
      `${dot(120, 120, 58, '#ffb703')}${dot(100, 112, 7, ink)}${dot(140, 112, 7, ink)}
       ${line('M96 132 q24 24 48 0', ink, 7)}${dot(84, 130, 8, '#fb8500')}${dot(156, 130, 8, '#fb8500')}`,
  },
  {
    name: 'rain',
    title: 'A cloud that rains',
    tags: 'rain rainy sad cloud weather cry sorry miss storm wet bad monday',
    ground: '#dee2e6',
    draw: (t) =>
      times(8, (i) => {
        const fall = phase(t * 2, ((i * 3) % 8) / 8)
        const x = 66 + (i % 4) * 34 + (i > 3 ? 14 : 0)
        return moved(-10 * fall, fall * 86, line(`M${x} 132 l-4 16`, '#4895ef', 7 * (fall > 0.86 ? 0.5 : 1)))
      }) +
      moved(
        sway(t) * 5,
        0,
        `<path d="${cloudShape}" fill="#6c757d"/>${dot(100, 96, 5, '#fff')}${dot(136, 96, 5, '#fff')}
         ${line('M106 116 q12 -10 24 0', '#fff', 5)}`,
      ),
  },
  {
    name: 'moon',
    title: 'A sleeping moon',
    tags: 'moon night sleep good goodnight tired bed dream evening late zzz bored',
    ground: '#14213d',
    draw: (t) =>
      times(7, (i) => {
        const shine = swing(phase(t, i / 7))
        const [x, y] = [
          [30, 40],
          [196, 196],
          [44, 190],
          [206, 128],
          [24, 116],
          [120, 214],
          [96, 22],
        ][i] as [number, number]
        return dot(x, y, 1.5 + 2.5 * shine, '#fca311')
      }) +
      turned(
        sway(t) * 5,
        120,
        120,
        `<path d="M138 44 A78 78 0 1 0 190 152 A62 62 0 0 1 138 44 Z" fill="#ffd166"/>
         ${line('M72 116 q9 9 18 0', ink, 5)}${line('M84 142 q9 8 18 3', ink, 5)}`,
      ) +
      times(3, (i) => {
        const up = phase(t, i / 3)
        const size = 10 + up * 16
        const [x, y] = [142 + up * 44 + sway(up) * 6, 112 - up * 70]
        const opacity = Math.min(1, 3 * (1 - up))
        return `<g opacity="${opacity.toFixed(2)}">${line(`M${x} ${y} h${size} l${-size} ${size} h${size}`, '#e5e5e5', 4)}</g>`
      }),
  },
]

async function drawing(picture: Picture, frames: number): Promise<Buffer> {
  const drawn = await Promise.all(
    Array.from({ length: frames }, (_, i) => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" width="${SIZE}" height="${SIZE}">
        <rect width="240" height="240" fill="${picture.ground}"/>${picture.draw(frames > 1 ? i / frames : (picture.stillAt ?? 0))}</svg>`
      return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer()
    }),
  )
  const loop = frames > 1 ? { loop: 0, delay: Array(frames).fill(Math.round(LOOP_MS / frames / 10) * 10) } : {}
  const joined = frames > 1 ? sharp(drawn, { join: { animated: true } }) : sharp(drawn[0])
  return joined.gif({ ...loop, colours: COLORS, dither: 0, effort: 10, interFrameMaxError: 0 }).toBuffer()
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const catalog = []
let total = 0
for (const picture of pictures) {
  const { name, title, tags } = picture
  const put = async (kind: string, frames: number) => {
    const bytes = await drawing(picture, frames)
    // A changed file gets another name, so that browsers may cache it forever.
    const file = `${name}-${kind}-${createHash('sha256').update(bytes).digest('hex').slice(0, 10)}.gif`
    writeFileSync(join(folder, file), bytes)
    total += bytes.length
    // Frames equal to the one before are dropped when they are joined.
    const { pages = 1 } = await sharp(bytes, { animated: true }).metadata()
    return { file, width: SIZE, height: SIZE, size: bytes.length, frames: pages }
  }
  catalog.push({
    name,
    title,
    tags: tags.split(' '),
    whole: await put('whole', FRAMES),
    downsampled: await put('downsampled', FEW_FRAMES),
    still: await put('still', 1),
  })
}
writeFileSync(join(folder, 'catalog.json'), `${JSON.stringify(catalog, null, 2)}\n`)
console.log(`${pictures.length} animations, ${total} bytes`)
