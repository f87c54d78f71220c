import { type Attachment, Cell, type Channel, type LocalMessage } from '@parley/client'
import { type ChatScope, useChat } from '../chat/chat-context.ts'
import { safeLink } from '../messages/safe-link.ts'
import { remember, remembered } from '../preferences/device-memory.ts'
import { notePlayed, playsAlone, wasPlayed } from './playing.ts'

/** The playback speeds. */
const SPEEDS = [1, 1.5, 2]
/** Where the device stores the speed. */
const SPEED_KEY = 'chat-audio-speed'

/** An audio file. */
export interface Sound {
  /** the same wherever the file is shown */
  key: string
  attachment: Attachment
  /** URLs, the preferred one first */
  sources: readonly string[]
  /** the message it belongs to; undefined while unsent */
  said: Said | undefined
  /** called at the end: whether the next unheard voice message follows */
  goesOn: () => boolean
}

/** A message of a channel. */
export interface Said {
  channel: Channel
  message: LocalMessage
}

/** The playback state of one audio file. */
export interface Track {
  playing: boolean
  /** in seconds */
  position: number
  /** its length in seconds, once it is known from the file itself */
  measured?: number
  /** it cannot be played */
  broken: boolean
  /** it was started */
  begun: boolean
}
const untouched: Track = { playing: false, position: 0, broken: false, begun: false }

/**
 * Plays the audio files of a chat, one at a time. Playback goes on while its row is out of view, and ends with the
 * chat: the audio element is in the root of the chat, and browsers stop elements that are removed from the page.
 */
export class Player {
  /** The file that is playing, or was last and is not closed. */
  readonly sound = new Cell<Sound | undefined>(undefined)
  readonly tracks = new Cell<ReadonlyMap<string, Track>>(new Map())
  readonly speed = new Cell(rememberedSpeed())
  /** A message the user is returning to, in a channel that is being opened. */
  returning: string | undefined
  /** The key of the file last announced as playing on out of view. */
  told: string | undefined
  #scope: ChatScope
  #element: HTMLAudioElement | undefined
  /** A position chosen before the file was loaded. */
  #wanted: number | undefined
  #rows = new Map<Element, string>()
  #seen = new Set<Element>()
  #held = false
  #observed: IntersectionObserver | undefined
  constructor(scope: ChatScope) {
    this.#scope = scope
  }

  trackOf(sound: Pick<Sound, 'key'> | undefined): Track {
    return (sound && this.tracks.snapshot().get(sound.key)) ?? untouched
  }

  /** Made in the browser: a server renders rows as well. */
  get #observer(): IntersectionObserver {
    this.#observed ??= new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.#see(target, isIntersecting)
    })
    return this.#observed
  }

  toggle(sound: Sound) {
    if (!this.#isCurrent(sound) || this.#audio.paused) void this.play(sound)
    else this.#audio.pause()
  }

  async play(sound: Sound) {
    if (!this.#isCurrent(sound)) this.#turnTo(sound)
    else if (this.trackOf(sound).broken) this.#audio.load()
    this.#change(sound, { broken: false })
    this.#audio.playbackRate = this.speed.snapshot()
    try {
      await this.#audio.play()
    } catch (error) {
      // Pressing pause before playback began is not a failure; if all URLs fail, the last one reports it.
      if (!isNamed(error, 'AbortError') && !isNamed(error, 'NotSupportedError')) this.#fail(sound, error)
    }
  }

  /** @param to  in seconds */
  seek(sound: Sound, to: number) {
    const position = Math.max(0, Math.min(durationOf(sound, this.trackOf(sound)), to))
    if (!this.#isCurrent(sound)) return this.#change(sound, { position })
    this.#wanted = undefined
    if (this.#audio.readyState === 0) {
      this.#wanted = position
      return this.#change(sound, { position })
    }
    const { seekable } = this.#audio
    const reaches = seekable.length > 0 && position <= seekable.end(seekable.length - 1) + 1
    if (!reaches) return this.#scope.notices.show('error', 'recording.seek.failed')
    this.#audio.currentTime = position
    this.#change(sound, { position })
  }

  /** One step faster or slower; if `round`, the slowest follows the fastest. */
  accelerate(by: 1 | -1, { round = false } = {}) {
    const at = SPEEDS.indexOf(this.speed.snapshot()) + by
    const speed = SPEEDS[round ? at % SPEEDS.length : at]
    if (speed === undefined) return
    this.speed.set(speed)
    remember(SPEED_KEY, String(speed))
    if (!this.#element) return
    this.#element.defaultPlaybackRate = speed
    this.#element.playbackRate = speed
  }

  /** Closes the player. The position is kept for the next time the file is played. */
  close() {
    const sound = this.sound.snapshot()
    if (!sound) return
    this.#audio.pause()
    this.#change(sound, { playing: false })
    this.sound.set(undefined)
    this.#held = false
    this.#audio.replaceChildren()
    this.#audio.load()
    this.#tell()
  }

  /** A row with an audio file is mounted. @returns the function for when it is unmounted */
  shows(row: Element, key: string): () => void {
    this.#rows.set(row, key)
    if (key === this.sound.snapshot()?.key) this.#observer.observe(row)
    return () => {
      this.#rows.delete(row)
      this.#observer.unobserve(row)
      this.#see(row, false)
    }
  }

  /** The focus is in the mini player: it stays until the focus leaves it, even after playback ends. */
  hold(held: boolean) {
    this.#held = held
    if (!held && this.#element?.ended) this.close()
    else this.#tell()
  }

  get #audio(): HTMLAudioElement {
    if (this.#element) return this.#element
    const audio = new Audio()
    this.#element = audio
    audio.preload = 'none'
    audio.defaultPlaybackRate = this.speed.snapshot()
    const hears = (type: string, act: (sound: Sound) => void) =>
      audio.addEventListener(type, () => {
        const sound = this.sound.snapshot()
        if (sound) act(sound)
      })
    hears('play', (sound) => {
      playsAlone(audio)
      this.#change(sound, { playing: true, begun: true })
      if (isReceivedVoice(sound, this.#scope.client.userID)) notePlayed(addressOf(sound.attachment))
    })
    // The `pause` event of the previous file arrives when the next one is playing already.
    hears('pause', (sound) => this.#change(sound, { playing: !audio.paused }))
    hears('ended', (sound) => this.#end(sound))
    hears('loadedmetadata', (sound) => {
      if (Number.isFinite(audio.duration)) this.#change(sound, { measured: audio.duration })
      if (this.#wanted !== undefined) this.seek(sound, this.#wanted)
    })
    hears('timeupdate', (sound) => {
      if (this.#wanted === undefined && audio.readyState > 0) this.#change(sound, { position: audio.currentTime })
      // Its row may have been covered or uncovered since; no event reports that.
      this.#tell()
    })
    this.#scope.root()?.append(audio)
    return audio
  }

  #turnTo(sound: Sound) {
    const before = this.sound.snapshot()
    if (before) this.#change(before, { playing: false })
    this.#observer.disconnect()
    // A row in which the user presses play is in view; if it is not, the observer reports that within a frame.
    this.#seen = new Set([...this.#rows].filter(([, key]) => key === sound.key).map(([row]) => row))
    for (const row of this.#seen) this.#observer.observe(row)
    this.#wanted = this.trackOf(sound).position || undefined
    this.sound.set(sound)
    this.#audio.replaceChildren(...sound.sources.map((src, place) => this.#source(sound, src, place)))
    this.#audio.load()
    this.#tell()
  }

  #source(sound: Sound, src: string, place: number): HTMLSourceElement {
    const source = document.createElement('source')
    source.src = src
    source.addEventListener('error', () => {
      if (this.#isCurrent(sound) && place === sound.sources.length - 1) this.#fail(sound)
    })
    return source
  }

  #end(sound: Sound) {
    this.#change(sound, { playing: false, position: 0 })
    const next = sound.goesOn() ? nextVoice(sound, this.#scope.client.userID) : undefined
    if (next) void this.play(next)
    else if (!this.#held) this.close()
  }

  #fail(sound: Sound, error?: unknown) {
    this.#change(sound, { playing: false, broken: true })
    this.#scope.notices.failed('recording.play.failed', error)
  }

  #see(row: Element, isSeen: boolean) {
    if (isSeen) this.#seen.add(row)
    else this.#seen.delete(row)
    this.#tell()
  }

  #tell() {
    const isSeen = [...this.#seen].some((row) => row.checkVisibility({ visibilityProperty: true }))
    const isAway = this.sound.snapshot()?.said !== undefined && (!isSeen || this.#held)
    this.#scope.away.set(isAway ? this : undefined)
  }

  #isCurrent({ key }: Sound): boolean {
    return key === this.sound.snapshot()?.key
  }

  #change(sound: Sound, track: Partial<Track>) {
    const changed = { ...this.trackOf(sound), ...track }
    this.tracks.set(new Map(this.tracks.snapshot()).set(sound.key, changed))
  }
}

const players = new WeakMap<ChatScope['away'], Player>()

/** The player of the chat around, created when its first audio file is shown. */
export function usePlayer(): Player {
  const scope = useChat()
  const player = players.get(scope.away) ?? new Player(scope)
  players.set(scope.away, player)
  return player
}

/**
 * The server's rendition plays everywhere; it is preferred for voice messages, whose own format some browsers cannot
 * play.
 */
export function soundOf(attachment: Attachment, said: Said | undefined, goesOn: () => boolean): Sound {
  const own = safeLink(addressOf(attachment))?.href
  const { rendition_url } = attachment
  const rendition = typeof rendition_url === 'string' ? safeLink(rendition_url)?.href : undefined
  const both = isVoice(attachment) ? [rendition, own] : [own, rendition]
  const sources = both.filter((url) => url !== undefined)
  return { key: `${said?.message.id} ${addressOf(attachment)}`, attachment, sources, said, goesOn }
}

export function isVoice({ type }: Attachment): boolean {
  return type === 'voiceRecording'
}

/** Another user's voice message, which may not have been heard yet. */
export function isReceivedVoice({ attachment, said }: Sound, me: string | undefined): boolean {
  return isVoice(attachment) && said !== undefined && said.message.user.id !== me
}

/** In seconds; 0 while unknown. */
export function durationOf({ attachment }: Sound, { measured }: Track): number {
  const told = Number(attachment.duration)
  return told > 0 ? told : (measured ?? 0)
}

export function addressOf({ asset_url = '' }: Attachment): string {
  return asset_url
}

/** The next voice message in its conversation or thread that another user recorded and that was not played yet. */
function nextVoice({ key, said, goesOn }: Sound, me: string | undefined): Sound | undefined {
  if (!said) return undefined
  const { sets, threads } = said.channel.snapshot()
  const runs = [...sets, ...Object.values(threads).flatMap((thread) => thread.sets)]
  const run = runs.find(({ messages }) => messages.some(({ id }) => id === said.message.id))
  const sounds = (run?.messages ?? []).flatMap((message) =>
    message.attachments.map((attachment) => soundOf(attachment, { ...said, message }, goesOn)),
  )
  const behind = sounds.slice(sounds.findIndex((sound) => sound.key === key) + 1)
  return behind.find((sound) => isReceivedVoice(sound, me) && !wasPlayed(addressOf(sound.attachment)))
}

function rememberedSpeed(): number {
  const speed = Number(remembered(SPEED_KEY))
  return SPEEDS.includes(speed) ? speed : 1
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name
}
