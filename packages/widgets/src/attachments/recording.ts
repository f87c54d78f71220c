import { Cell, type Clock, type Live } from '@parley/client'
import { RECORDING_MS_MAX, RECORDING_WARNING_MS, SILENCE_MS } from '../limits.ts'
import { resampled, WAVEFORM_VALUES } from './waveform.ts'

/** The interval between levels; a level below this is silence. */
const LEVEL_EVERY_MS = 100
const SILENCE = 0.02
/** Scales a voice at the usual distance to the full height of the waveform. */
const GAIN = 3

/** The state of a recording; `levels` from 0 to 1, one every tenth of a second. */
export interface RecordingState {
  at: 'asking' | 'recording' | 'paused' | 'ended'
  elapsedMs: number
  levels: readonly number[]
  /** only silence for a while */
  silent: boolean
}

/** The errors of a recording [TOA-33, TOA-34, TOA-35, TOA-38]. */
export type RecordingFault = 'start' | 'record' | 'process' | 'format' | 'insecure'

export class RecordingError extends Error {
  override readonly name = 'RecordingError'
  readonly fault: RecordingFault
  constructor(fault: RecordingFault, options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}

/** The recorded file, with the fields of a voice message [ATT-17]. */
export interface Recorded {
  file: File
  /** seconds */
  duration: number
  waveform_data: number[]
}

export interface RecordingEvents {
  /** it reached the maximum length, or was interrupted: the part recorded is kept */
  onEnd: (recorded: Recorded | undefined, why: 'limit' | 'interrupted') => void
  /** it ended by itself as well, and the file cannot be assembled */
  onFault: (error: unknown) => void
  /** little time is left */
  onWarning: () => void
}

/** One voice recording, from the microphone to a file. */
export class Recording implements Live<RecordingState> {
  #cell = new Cell<RecordingState>({ at: 'asking', elapsedMs: 0, levels: [], silent: false })
  #clock: Clock
  #events: RecordingEvents
  #stream: MediaStream | undefined
  #recorder: MediaRecorder | undefined
  #sound: AudioContext | undefined
  #measure: (() => number) | undefined
  #parts: Blob[] = []
  #cancel = () => {}
  #tickedAt = 0
  #silentMs = 0
  constructor(clock: Clock, events: RecordingEvents) {
    this.#clock = clock
    this.#events = events
  }

  snapshot = () => this.#cell.snapshot()
  subscribe = (listener: () => void) => this.#cell.subscribe(listener)

  /** @throws RecordingError — no microphone, no permission, or no format that others can play */
  async start(): Promise<void> {
    // Browsers allow the microphone only to pages from https or from localhost.
    if (!isSecureContext) throw new RecordingError('insecure')
    const mimeType = recordableType()
    if (mimeType === undefined) throw new RecordingError('format')
    this.#set({ at: 'asking' })
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      // Cancelled while the browser asked for the permission, or started again since.
      if (this.snapshot().at !== 'asking') return silence(stream)
      this.#stream = stream
      this.#recorder = new MediaRecorder(stream, { mimeType })
      this.#recorder.ondataavailable = ({ data }) => this.#parts.push(data)
      this.#recorder.onerror = () => this.#endBy('interrupted')
      for (const track of stream.getTracks()) track.onended = () => this.#endBy('interrupted')
      this.#measure = this.#levelsOf(stream)
      this.#recorder.start(1_000)
    } catch (cause) {
      // A cancelled recording does not wait for the microphone.
      if (this.snapshot().at !== 'asking') return
      this.cancel()
      throw new RecordingError('start', { cause })
    }
    this.#run()
  }

  pause() {
    if (this.snapshot().at !== 'recording') return
    this.#cancel()
    this.#recorder?.pause()
    this.#set({ at: 'paused' })
  }

  resume() {
    if (this.snapshot().at !== 'paused') return
    this.#recorder?.resume()
    this.#run()
  }

  /**
   * Ends it.
   * @returns the recording; undefined if it is empty
   * @throws RecordingError — the file cannot be assembled
   */
  async finish(): Promise<Recorded | undefined> {
    const { elapsedMs, levels, at } = this.snapshot()
    const recorder = this.#recorder
    if (at === 'ended') return undefined
    this.#cancel()
    this.#set({ at: 'ended' })
    try {
      if (recorder && recorder.state !== 'inactive') {
        const stopped = new Promise((resolve) => {
          recorder.onstop = resolve
        })
        recorder.stop()
        await stopped
      }
      const [type = ''] = (recorder?.mimeType ?? '').split(';')
      const blob = new Blob(this.#parts, { type })
      if (blob.size === 0 || levels.length === 0) return undefined
      const file = new File([blob], `voice-${stamp(this.#clock.now())}.${extensions[type] ?? 'webm'}`, { type })
      const duration = Math.round(elapsedMs / 100) / 10
      return { file, duration, waveform_data: resampled(levels, WAVEFORM_VALUES) }
    } catch (cause) {
      throw new RecordingError('process', { cause })
    } finally {
      this.#release()
    }
  }

  /** Discards the recording. */
  cancel() {
    this.#cancel()
    this.#set({ at: 'ended' })
    this.#release()
  }

  #run() {
    this.#tickedAt = this.#clock.now()
    this.#set({ at: 'recording' })
    this.#tick()
  }

  #tick() {
    this.#cancel = this.#clock.after(LEVEL_EVERY_MS, () => {
      const now = this.#clock.now()
      const passed = now - this.#tickedAt
      this.#tickedAt = now
      const level = this.#measure?.() ?? 0
      this.#silentMs = level < SILENCE ? this.#silentMs + passed : 0
      const { elapsedMs: before, levels } = this.snapshot()
      const elapsedMs = Math.min(RECORDING_MS_MAX, before + passed)
      this.#set({ elapsedMs, levels: [...levels, level], silent: this.#silentMs >= SILENCE_MS })
      if (before < RECORDING_WARNING_MS && elapsedMs >= RECORDING_WARNING_MS) this.#events.onWarning()
      if (elapsedMs >= RECORDING_MS_MAX) this.#endBy('limit')
      else this.#tick()
    })
  }

  #endBy(why: 'limit' | 'interrupted') {
    if (this.snapshot().at === 'ended') return
    const { onEnd, onFault } = this.#events
    this.finish().then((recorded) => onEnd(recorded, why), onFault)
  }

  #levelsOf(stream: MediaStream): () => number {
    this.#sound = new AudioContext()
    const analyser = this.#sound.createAnalyser()
    // About the interval between levels, so that no word is lost between chunks.
    analyser.fftSize = 4_096
    this.#sound.createMediaStreamSource(stream).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    return () => {
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      return Math.min(1, Math.sqrt(power) * GAIN)
    }
  }

  #release() {
    if (this.#stream) silence(this.#stream)
    void this.#sound?.close().catch(() => {})
    this.#stream = undefined
    this.#sound = undefined
  }

  #set(change: Partial<RecordingState>) {
    this.#cell.set({ ...this.snapshot(), ...change })
  }
}

const extensions: Record<string, string> = { 'audio/webm': 'webm', 'audio/mp4': 'm4a', 'audio/ogg': 'ogg' }

/** Safari claims to record WebM, but cannot play its own WebM files. */
function recordableType(): string | undefined {
  if (typeof MediaRecorder === 'undefined' || !navigator.mediaDevices) return undefined
  const isSafari = /^((?!chrome|android|crios|fxios).)*safari/i.test(navigator.userAgent)
  const mp4 = ['audio/mp4;codecs=mp4a.40.2', 'audio/mp4']
  const webm = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus']
  const types = isSafari ? [...mp4, ...webm] : [...webm, ...mp4]
  return types.find((type) => MediaRecorder.isTypeSupported(type))
}

function silence(stream: MediaStream) {
  for (const track of stream.getTracks()) {
    track.onended = null
    track.stop()
  }
}

/** "20260105-0912" */
function stamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace(/[-:]/g, '').replace('T', '-')
}
