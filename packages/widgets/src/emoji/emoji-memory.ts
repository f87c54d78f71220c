import { EMOJI_REMEMBERED } from '../limits.ts'
import { remember, remembered } from '../preferences/device-memory.ts'
import { bareTone } from './emoji-set.ts'

/** The emoji preferences stored in this browser. */
export interface EmojiMemory {
  /** recent emoji, newest first, without skin tones */
  recent: readonly string[]
  /** the skin tone, 1 to 5; 0 for the neutral yellow */
  tone: number
}

const KEY = 'chat-emoji'
const nothing: EmojiMemory = { recent: [], tone: 0 }

export function rememberedEmoji(): EmojiMemory {
  try {
    const { recent, tone } = JSON.parse(remembered(KEY) ?? '{}') as Partial<EmojiMemory>
    return {
      recent: Array.isArray(recent) ? recent.filter((one) => typeof one === 'string') : [],
      tone: typeof tone === 'number' ? tone : 0,
    }
  } catch {
    return nothing
  }
}

export function rememberEmoji(emoji: string) {
  const { recent, tone } = rememberedEmoji()
  const used = bareTone(emoji)
  keep({ recent: [used, ...recent.filter((one) => one !== used)].slice(0, EMOJI_REMEMBERED), tone })
}

export function rememberTone(tone: number) {
  keep({ ...rememberedEmoji(), tone })
}

function keep(memory: EmojiMemory) {
  remember(KEY, JSON.stringify(memory))
}
