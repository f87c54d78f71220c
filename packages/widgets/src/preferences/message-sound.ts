import { SOUND_EVERY_MS } from '../limits.ts'

/** Two soft notes. */
const NOTES_HZ = [660, 880]
const NOTE_S = 0.12
const VOLUME = 0.06

let context: AudioContext | undefined
let last = Number.NEGATIVE_INFINITY

/** Plays the message sound. Browsers allow no sound until the user has interacted with the page. */
export function playMessageSound(nowMs: number) {
  if (nowMs - last < SOUND_EVERY_MS) return
  last = nowMs
  context ??= new AudioContext()
  const { currentTime, destination } = context
  NOTES_HZ.forEach((hz, place) => {
    const from = currentTime + place * NOTE_S
    const [note, volume] = [new OscillatorNode(context!, { frequency: hz }), new GainNode(context!, { gain: 0 })]
    volume.gain.setValueAtTime(0, from)
    volume.gain.linearRampToValueAtTime(VOLUME, from + 0.02)
    volume.gain.linearRampToValueAtTime(0, from + NOTE_S)
    note.connect(volume).connect(destination)
    note.start(from)
    note.stop(from + NOTE_S)
  })
}
