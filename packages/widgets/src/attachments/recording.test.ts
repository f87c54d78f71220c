import { FakeClock } from '@parley/client/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { Recording } from './recording.ts'

afterEach(() => vi.unstubAllGlobals())

it('stopped during the permission prompt and started again, it opens the microphone once and leaves none open', async () => {
  const { allow, open } = aMicrophone()
  const recording = new Recording(new FakeClock(), { onWarning: () => {}, onEnd: () => {}, onFault: () => {} })
  // As React does in development mode.
  const first = recording.start()
  await recording.finish()
  const second = recording.start()
  allow()
  await Promise.all([first, second])
  expect(recording.snapshot().at).toBe('recording')
  expect(open()).toBe(1)
  recording.cancel()
  expect(open()).toBe(0)
})

/** A browser with a microphone and a pending permission prompt. */
function aMicrophone() {
  const tracks: { live: boolean; onended: null; stop: () => void }[] = []
  const asked: (() => void)[] = []
  const stream = () => {
    const track = { live: true, onended: null, stop: () => Object.assign(track, { live: false }) }
    tracks.push(track)
    return { getTracks: () => [track] }
  }
  const getUserMedia = () => new Promise((given) => asked.push(() => given(stream())))
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('navigator', { userAgent: 'A browser', mediaDevices: { getUserMedia } })
  vi.stubGlobal(
    'MediaRecorder',
    class {
      static isTypeSupported = () => true
      start() {}
    },
  )
  vi.stubGlobal(
    'AudioContext',
    class {
      createAnalyser = () => ({})
      createMediaStreamSource = () => ({ connect: () => {} })
      close = async () => {}
    },
  )
  return {
    allow: () => {
      for (const give of asked) give()
    },
    open: () => tracks.filter(({ live }) => live).length,
  }
}
