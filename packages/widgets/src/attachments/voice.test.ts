import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import { aKitPage } from '../testing/kit-page.ts'
import { takesUploads, type UploadServer } from '../testing/uploading.ts'

let page: Page
let files: UploadServer
aKitPage(
  async (opened) => {
    page = opened
    files = await takesUploads(page)
    await page.route('https://files.example.com/**', (route) => {
      const isOf = (name: string) => route.request().url().includes(name)
      if (isOf('missing')) return route.fulfill({ status: 404 })
      return route.fulfill(fromWhereItIsAsked(aSound(isOf('long') ? 120 : 12), route.request()))
    })
  },
  { refuses: true },
)

/** A low tone: 8,000 samples a second of one byte. */
function aSound(seconds: number): Buffer {
  const samples = Buffer.from(
    Uint8Array.from({ length: seconds * 8_000 }, (_, i) => 128 + Math.round(40 * Math.sin(i / 6))),
  )
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

/** Supports range requests like a file server, so that the player can seek. */
function fromWhereItIsAsked(sound: Buffer, request: Request) {
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers().range ?? '') ?? []
  if (from === undefined) return { contentType: 'audio/wav', body: sound }
  const range = `bytes ${from}-${sound.length - 1}/${sound.length}`
  const headers = { 'accept-ranges': 'bytes', 'content-range': range }
  return { status: 206, contentType: 'audio/wav', headers, body: sound.subarray(Number(from)) }
}

const can = ['read-events', 'send-message', 'upload-file', 'create-attachment']
const voice = (name = 'voice.wav') => ({
  type: 'voiceRecording',
  asset_url: `https://files.example.com/${name}`,
  duration: 12,
  waveform_data: Array.from({ length: 100 }, (_, i) => Math.abs(Math.sin(i / 5))),
})

async function adaOpens({ capabilities = can, heard = [] as object[], before = 0, open = 'bo', leaves = false } = {}) {
  await page.evaluate(
    ([capabilities, heard, before, open, leaves]) => {
      const { bo, aWorkingDay } = window.kitFixture
      const conversations = aWorkingDay()
      for (const one of conversations) one.capabilities = capabilities
      const withBo = conversations.find(({ id }) => id === open)!
      for (let i = before; i > 0; i -= 1) {
        const created_at = new Date(Date.now() - i * 60_000).toISOString()
        withBo.messages.push({ id: `before${i}`, user: bo, text: `Before the voices: ${i}`, created_at })
      }
      for (const [i, attachment] of heard.entries()) {
        const created_at = new Date(Date.now() - (heard.length - i) * 1_000).toISOString()
        withBo.messages.push({ id: `heard${i}`, user: bo, text: '', created_at, attachments: [attachment] })
      }
      return window.kitFixture.start({ open, conversations, preferences: true, leaves })
    },
    [capabilities, heard, before, open, leaves] as const,
  )
  await page.waitForSelector('.chat-scroll')
}

/** Playback takes real time. */
const patiently = { timeout: 15_000 }
const button = (name: string | RegExp) => page.getByRole('button', { name })
const record = () => button('Record a voice message')
const time = () => page.getByRole('timer').textContent()
const tile = () => page.locator('.chat-upload')
const spoken = (text: string) => page.locator('[aria-live=polite]').getByText(text, { exact: true }).waitFor()
const notice = (text: string) => page.locator('.chat-notice').getByText(text, { exact: true }).waitFor()
const boxHasFocus = () => page.waitForFunction(() => document.activeElement?.matches('.chat-composer textarea'))
const sent = () =>
  page.evaluate(() =>
    window.kitFixture.calls('/message').map(({ body }) => (body.message as { attachments: object[] }).attachments),
  )

describe('recording', () => {
  it('[ATT-12][ATT-17] a voice message is recorded, paused, played and sent with its length and its waveform', async () => {
    await adaOpens()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await record().click()
    await spoken('Recording')
    expect(asked.some((url) => /VoiceRecorder/.test(url))).toBe(true)
    await expect.poll(time, patiently).toBe('0:01')
    await button('Pause recording').click()
    await spoken('Recording paused')
    await button('Continue recording').click()
    await expect.poll(time, patiently).toBe('0:02')
    await button('Finish recording').click()
    await expect.poll(() => tile().getAttribute('data-status'), patiently).toBe('finished')
    await boxHasFocus()

    await tile().getByRole('button', { name: 'Play Voice message' }).click()
    await tile().getByRole('button', { name: 'Pause Voice message' }).waitFor()
    await button(/^Send$/).click()
    await expect.poll(async () => (await sent()).length).toBe(1)
    const [[attachment]] = (await sent()) as [[{ duration: number; waveform_data: number[] }]]
    expect(attachment).toMatchObject({ type: 'voiceRecording', mime_type: 'audio/webm' })
    expect(attachment.duration).toBeGreaterThan(1)
    expect(attachment.waveform_data).toHaveLength(100)
    expect(attachment.waveform_data.every((value) => value >= 0 && value <= 1)).toBe(true)
    expect(attachment.waveform_data.some((value) => value > 0.05)).toBe(true)
    expect(await record().count()).toBe(1)
  })

  it('[ATT-17] ends by itself after five minutes, with a warning before, and is kept', async () => {
    await page.clock.install()
    await adaOpens()
    await record().click()
    await page.locator('.chat-recorder[data-at=recording]').waitFor()
    await page.clock.runFor(264_000)
    expect(await page.locator('.chat-recorder-left').textContent()).toMatch(/^0:3\d$/)
    await page.clock.runFor(7_000)
    await spoken('30 seconds left to record')
    await page.clock.runFor(30_000)
    await page.locator('[aria-live=assertive]').getByText('Maximum recording length reached').waitFor()
    await tile().waitFor()
    expect(await page.locator('.chat-recorder').count()).toBe(0)
  })

  it('that fails to upload shows the reason below, and can be played and retried', async () => {
    await adaOpens()
    files.refuse('the disk is full')
    await record().click()
    await expect.poll(time, patiently).toBe('0:01')
    await button('Finish recording').click()
    const why = tile().getByText('Error uploading attachment')
    await why.waitFor(patiently)
    await tile().locator('.chat-audio-play').waitFor()
    const [sound, words] = await Promise.all([tile().locator('.chat-audio').boundingBox(), why.boundingBox()])
    expect(words!.y).toBeGreaterThanOrEqual(sound!.y + sound!.height)
    await button('Try to upload Voice message again').waitFor()
  })

  it('Escape discards it, by keys alone, and the focus is back in the text box', async () => {
    await adaOpens()
    await page.locator('.chat-composer textarea').press('Alt+Shift+V')
    await page.locator('.chat-recorder[data-at=recording]').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Finish recording')
    await page.keyboard.press('Escape')
    await spoken('Recording discarded')
    await boxHasFocus()
    expect([await tile().count(), files.asked]).toEqual([0, []])
  })

  it('the recording stays with its conversation when the user opens another', async () => {
    await adaOpens()
    await record().click()
    await expect.poll(time, patiently).toBe('0:01')
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Rack planning,/ })
      .click()
    await expect.poll(() => page.locator('textarea').getAttribute('placeholder')).toBe('Message Rack planning')
    expect(await tile().count()).toBe(0)
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /^Bo Lindqvist,/ })
      .click()
    await expect.poll(() => tile().getAttribute('data-status'), patiently).toBe('finished')
  })

  it('[PERM-5] is not offered without the capability to upload', async () => {
    await adaOpens({ capabilities: ['read-events', 'send-message'] })
    expect(await record().count()).toBe(0)
    await button(/^Send$/).waitFor()
  })
})

describe('a finger on the microphone', () => {
  /** The movements of a finger, from where it touched down; it holds until it is lifted. */
  const finger = (type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel', x = 0, y = 0) =>
    page.evaluate(
      ([type, x, y]) => {
        const touch = { pointerType: 'touch', pointerId: 7, clientX: 800 + x, clientY: 700 + y, bubbles: true }
        const on = type === 'pointerdown' ? document.querySelector('.chat-send[data-kind=voice]') : document.body
        on?.dispatchEvent(new PointerEvent(type, touch))
      },
      [type, x, y] as const,
    )
  const held = () => page.locator('.chat-recorder[data-held]')
  const holds = async () => {
    await finger('pointerdown')
    await page.locator('.chat-recorder[data-held][data-at=recording]').waitFor()
    await expect.poll(time, patiently).toBe('0:01')
  }

  it('[ATT-17] records as long as it holds', async () => {
    await adaOpens()
    await holds()
    await held().getByText('Slide to cancel').waitFor()
    expect(await axeFinds(page, '.chat-recorder')).toEqual([])
    expect(await button('Finish recording').isVisible()).toBe(false)
    await finger('pointerup')
    await expect.poll(() => tile().getAttribute('data-status'), patiently).toBe('finished')
    await boxHasFocus()
  })

  it('discards it when it slides to the start of the line', async () => {
    await adaOpens()
    await holds()
    await finger('pointermove', -40)
    expect(await held().count()).toBe(1)
    await finger('pointermove', -120)
    await spoken('Recording discarded')
    await boxHasFocus()
    expect([await tile().count(), files.asked]).toEqual([0, []])
  })

  it('slides the other way in right-to-left languages', async () => {
    await adaOpens()
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    await holds()
    await finger('pointermove', -120)
    expect(await held().count()).toBe(1)
    await finger('pointermove', 120)
    await spoken('Recording discarded')
  })

  it('locks it when it slides up, and so does a short touch: the recording goes on', async () => {
    await adaOpens()
    await holds()
    await finger('pointermove', 0, -90)
    await held().waitFor({ state: 'detached' })
    await finger('pointerup', 0, -90)
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Finish recording')
    await expect.poll(time, patiently).toBe('0:02')
    await button('Discard recording').click()
    await spoken('Recording discarded')

    // However slow the machine is, the finger lifts before any sound.
    await page.evaluate(() => {
      const touch = { pointerType: 'touch', pointerId: 8, bubbles: true }
      const lift = new MutationObserver(() => {
        if (!document.querySelector('.chat-recorder[data-held]')) return
        lift.disconnect()
        document.body.dispatchEvent(new PointerEvent('pointerup', touch))
      })
      lift.observe(document.body, { childList: true, subtree: true })
      document.querySelector('.chat-send[data-kind=voice]')?.dispatchEvent(new PointerEvent('pointerdown', touch))
    })
    await button('Finish recording').waitFor()
    await expect.poll(time, patiently).toBe('0:01')
  })

  it('that the system cancels loses nothing', async () => {
    await adaOpens()
    await holds()
    await finger('pointercancel')
    await button('Finish recording').click()
    await expect.poll(() => tile().getAttribute('data-status'), patiently).toBe('finished')
  })
})

describe('when recording fails', () => {
  it('[TOA-33][TOA-39] reports that it cannot start', async () => {
    await adaOpens()
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('No.', 'NotAllowedError'))
    })
    await record().click()
    await notice('Cannot start recording. Allow the microphone and try again.')
    await boxHasFocus()
  })

  it('is not paused before it has begun, and one cancelled by then reports no error', async () => {
    await adaOpens()
    await page.evaluate(() => {
      navigator.mediaDevices.getUserMedia = () =>
        new Promise((_, refuse) =>
          addEventListener('refused', () => refuse(new DOMException('No.', 'NotAllowedError'))),
        )
    })
    await record().click()
    await button('Pause recording').press('Enter')
    await page.keyboard.press('Escape')
    await spoken('Recording discarded')
    expect(await page.locator('[aria-live=polite]').getByText('Recording paused', { exact: true }).count()).toBe(0)
    await page.evaluate(() => dispatchEvent(new Event('refused')))
    await record().waitFor()
    expect(await page.locator('.chat-notice').count()).toBe(0)
  })

  it('[TOA-34][TOA-39] reports that it was interrupted, and keeps the part recorded', async () => {
    await adaOpens()
    await page.evaluate(() => {
      const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
      navigator.mediaDevices.getUserMedia = async (wanted) => {
        const stream = await ask(wanted)
        addEventListener('unplugged', () => stream.getTracks()[0]?.dispatchEvent(new Event('ended')))
        return stream
      }
    })
    await record().click()
    await expect.poll(time, patiently).toBe('0:01')
    await page.evaluate(() => dispatchEvent(new Event('unplugged')))
    await notice('Recording stopped because of an error. What was recorded so far is kept.')
    await tile().waitFor()
  })

  it('[TOA-35][TOA-39] reports that the file could not be assembled', async () => {
    await adaOpens()
    await page.evaluate(() => {
      MediaRecorder.prototype.stop = () => {
        throw new Error('Out of memory.')
      }
    })
    await record().click()
    await expect.poll(time, patiently).toBe('0:01')
    await button('Finish recording').click()
    await notice('This recording could not be processed.')
    await boxHasFocus()
  })

  it('[TOA-35][TOA-39] reports it as well for one that ended by itself', async () => {
    await page.clock.install()
    await adaOpens()
    await page.evaluate(() => {
      MediaRecorder.prototype.stop = () => {
        throw new Error('Out of memory.')
      }
    })
    await record().click()
    await page.locator('.chat-recorder[data-at=recording]').waitFor()
    await page.clock.runFor(301_000)
    await notice('This recording could not be processed.')
    expect(await page.locator('.chat-recorder').count()).toBe(0)
  })

  it('[TOA-38][TOA-39] reports that others could not play the formats of this device', async () => {
    await adaOpens()
    await page.evaluate(() => {
      MediaRecorder.isTypeSupported = () => false
    })
    await record().click()
    await notice('This device cannot record in a format others can play.')
  })
})

describe('playing', () => {
  const row = (i: number) => page.locator(`[data-key="heard${i}"]`)
  const slider = (i: number) => row(i).getByRole('slider')
  const at = (i: number) => slider(i).getAttribute('aria-valuetext')
  const audio = () => page.locator('.chat > audio')
  const isPlaying = async (i: number) => (await row(i).locator('.chat-audio[data-playing]').count()) === 1
  const plays = async (i: number) => {
    await row(i).getByRole('button', { name: 'Play Voice message' }).click()
    await expect.poll(() => isPlaying(i), patiently).toBe(true)
  }
  const isSilent = () => audio().evaluate((it: HTMLAudioElement) => it.paused)
  const nearlyEnds = () =>
    audio().evaluate(async (it: HTMLAudioElement) => {
      while (it.readyState < HTMLMediaElement.HAVE_ENOUGH_DATA) await new Promise(requestAnimationFrame)
      it.currentTime = 11.7
    })

  it('[ATT-12] a voice message plays, and only one file plays at a time', async () => {
    await adaOpens({ heard: [voice('one.wav'), voice('two.wav')] })
    await plays(0)
    await expect.poll(() => at(0), patiently).toBe('0:01 of 0:12')
    await plays(1)
    expect(await isPlaying(0)).toBe(false)
    await row(0).getByRole('button', { name: 'Play Voice message' }).waitFor()
  })

  it('the progress runs from left to right, also in right-to-left languages', async () => {
    await adaOpens({ heard: [voice('one.wav')] })
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    const [play, line] = [row(0).locator('.chat-audio-play'), row(0).locator('.chat-audio-line')]
    expect((await play.boundingBox())!.x).toBeLessThan((await line.boundingBox())!.x)
    expect(await play.locator('[data-directional]').count()).toBe(0)
  })

  it('loads nothing before it is played, and seeks and speeds up by keys', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await adaOpens({ heard: [voice('one.wav')] })
    await slider(0).waitFor()
    expect(asked.filter((url) => url.includes('one.wav'))).toEqual([])
    await row(0).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect.poll(() => isPlaying(0), patiently).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => at(0), patiently).toMatch(/^0:0[5-9]/)
    await page.keyboard.press('ArrowUp')
    await button('Speed 1.5×').waitFor()
    await page.keyboard.press(' ')
    await expect.poll(() => isPlaying(0), patiently).toBe(false)
    await page.keyboard.press('Escape')
    expect(await row(0).evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('in a direct conversation the next voice message follows automatically, and a dot marks the unheard ones', async () => {
    await adaOpens({ heard: [voice('one.wav'), voice('two.wav'), voice('three.wav')] })
    const dot = (i: number) => row(i).getByRole('img', { name: 'Not played yet' })
    await dot(2).waitFor()
    await plays(1)
    await dot(1).waitFor({ state: 'detached' })
    await plays(0)
    await nearlyEnds()
    // The second was heard already.
    await expect.poll(() => isPlaying(2), patiently).toBe(true)
    expect(await page.getByRole('img', { name: 'Not played yet' }).count()).toBe(0)
    await adaOpens({ heard: [voice('one.wav'), voice('new.wav')] })
    await dot(1).waitFor()
    expect(await dot(0).count()).toBe(0)
  })

  it("plays, and has a speed, if the browser's storage throws on access", async () => {
    await page.evaluate(() =>
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('No.', 'SecurityError')
        },
      }),
    )
    await adaOpens({ heard: [voice()] })
    await plays(0)
    await page.locator('.chat-audio-speed').click()
    await button('Speed 1.5×').waitFor()
    await page.locator('.chat-audio-time').click()
    await button(/Show the time played/).waitFor()
  })

  it('shows the remaining time instead of the time played once the user chose so', async () => {
    await adaOpens({ heard: [voice('one.wav')] })
    await plays(0)
    await row(0)
      .getByRole('button', { name: /Show the time left/ })
      .click()
    await expect.poll(() => row(0).locator('.chat-audio-time').textContent(), patiently).toMatch(/^−0:(0\d|1[0-2])$/)
    await row(0)
      .getByRole('button', { name: /Show the time played/ })
      .waitFor()
    await adaOpens({ heard: [voice('one.wav')] })
    await row(0)
      .getByRole('button', { name: /Show the time played/ })
      .waitFor()
  })

  it('[TOA-36][TOA-39] reports that a file cannot be played, and offers to save it', async () => {
    await adaOpens({ heard: [voice('missing.wav')] })
    await row(0).getByRole('button', { name: 'Play Voice message' }).click()
    await notice('This audio could not be played.')
    const save = row(0).getByRole('link', { name: 'Download' })
    expect(await save.getAttribute('href')).toBe('https://files.example.com/missing.wav')
  })

  it('can be saved if it can be played, too', async () => {
    await adaOpens({ heard: [voice('one.wav')] })
    const save = row(0).getByRole('link', { name: 'Download' })
    expect(await save.getAttribute('href')).toBe('https://files.example.com/one.wav')
    expect(await row(0).locator('.chat-audio-speed').count()).toBe(1)
  })

  it('[TOA-37][TOA-39] reports that it cannot seek', async () => {
    await adaOpens({ heard: [voice('one.wav')] })
    await plays(0)
    await audio().evaluate((it) => Object.defineProperty(it, 'seekable', { value: { length: 0 } }))
    await slider(0).press('ArrowRight')
    await notice('Cannot move to this position.')
  })

  it('the preference decides whether the next voice message follows', async () => {
    await adaOpens({ heard: [voice('one.wav'), voice('two.wav')] })
    await button('Chat preferences').click()
    await page.getByLabel('Play the next voice message').selectOption({ label: 'Never' })
    await page.keyboard.press('Escape')
    await plays(0)
    await nearlyEnds()
    await expect.poll(() => isPlaying(0), patiently).toBe(false)
    expect([await isSilent(), await audio().locator('source').count()]).toEqual([true, 0])

    const voices = [voice('three.wav'), voice('four.wav')]
    await adaOpens({ heard: voices, open: 'racks' })
    await button('Chat preferences').click()
    await page.getByLabel('Play the next voice message').selectOption({ label: 'Everywhere' })
    await page.keyboard.press('Escape')
    await plays(0)
    await nearlyEnds()
    await expect.poll(() => isPlaying(1), patiently).toBe(true)
  })

  describe('out of view', () => {
    const long = { ...voice('long.wav'), duration: 120 }
    const mini = () => page.getByRole('region', { name: 'Now playing: Bo Lindqvist' })
    const opens = (name: RegExp) => page.getByRole('navigation').getByRole('button', { name }).click()
    const scroll = () => page.locator('.chat-scroll')
    const away = async () => {
      await adaOpens({ heard: [long], before: 40 })
      await plays(0)
      await scroll().evaluate((it) => {
        it.scrollTop -= 1_500
      })
      await mini().waitFor()
    }

    it('goes on in a mini player over the conversation, which leads back and moves nothing', async () => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      const isFetched = () => asked.some((url) => /MiniPlayer/.test(url))
      await adaOpens({ heard: [long], before: 40 })
      await plays(0)
      expect([await mini().count(), isFetched()]).toEqual([0, false])
      const moved = await scroll().evaluate(async (it) => {
        it.scrollTop -= 1_500
        const box = it.getBoundingClientRect()
        const read = document.elementFromPoint(box.x + box.width / 2, box.y + 300)!.closest('[data-key]')!
        const before = read.getBoundingClientRect().top
        while (!document.querySelector('.chat-audio-away')) await new Promise(requestAnimationFrame)
        await new Promise(requestAnimationFrame)
        return read.getBoundingClientRect().top - before
      })
      expect([Math.round(moved), isFetched()]).toEqual([0, true])
      await spoken('Now playing: Bo Lindqvist')
      expect(await axeFinds(page, '.chat-audio-away')).toEqual([])
      await mini()
        .getByText(/^0:\d\d of 2:00$/)
        .waitFor()
      await mini()
        .getByRole('button', { name: /^Speed/ })
        .click()
      await mini().getByRole('button', { name: 'Pause Voice message' }).click()
      await expect.poll(isSilent, patiently).toBe(true)
      await mini().getByRole('button', { name: 'Play Voice message' }).click()
      await mini().getByRole('button', { name: 'Show in chat' }).click()
      await mini().waitFor({ state: 'detached' })
      await row(0).getByRole('button', { name: 'Speed 1.5×' }).waitFor()
      expect(await isPlaying(0)).toBe(true)
      await expect.poll(() => row(0).evaluate((it) => it === document.activeElement)).toBe(true)
    })

    it('goes on in another conversation, leads back, and is over the list if none is open', async () => {
      await adaOpens({ heard: [long], before: 40 })
      await plays(0)
      await opens(/^Rack planning,/)
      await mini().waitFor()
      expect(await isSilent()).toBe(false)
      await mini().getByRole('button', { name: 'Show in chat' }).click()
      await expect.poll(() => page.locator('textarea').getAttribute('placeholder')).toBe('Message Bo Lindqvist')
      await expect.poll(() => isPlaying(0), patiently).toBe(true)
      await mini().waitFor({ state: 'detached' })
      await button('Back to conversations').click()
      await page.getByRole('navigation').getByRole('region', { name: 'Now playing: Bo Lindqvist' }).waitFor()
      await page.evaluate(() => window.kitFixture.show({ theme: 'dark' }))
      expect(await axeFinds(page, '.chat-audio-away')).toEqual([])
    })

    it('reports when the message to go back to is deleted', async () => {
      await adaOpens({ heard: [long], leaves: true })
      await plays(0)
      await opens(/^Rack planning,/)
      await page.evaluate(() => window.kitFixture.server().refusals.set('GET /messages', { status: 404, code: 16 }))
      await mini().getByRole('button', { name: 'Show in chat' }).click()
      await notice('This message is not available')
    })

    it('is over a pane that covers the conversation on a phone, and leads back', async () => {
      await page.setViewportSize({ width: 390, height: 800 })
      await adaOpens({ heard: [long], before: 1, capabilities: [...can, 'send-reply', 'search-messages'] })
      await plays(0)
      await page.getByRole('article').filter({ hasText: 'Before the voices: 1' }).focus()
      // The pointer was pressed in the list last: a key that moves the focus makes letters commands again.
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('t')
      await page.getByRole('complementary', { name: 'Thread' }).waitFor()
      await mini().getByRole('button', { name: 'Pause Voice message' }).click()
      await expect.poll(isSilent, patiently).toBe(true)
      await mini().getByRole('button', { name: 'Play Voice message' }).click()
      await mini().getByRole('button', { name: 'Show in chat' }).click()
      await page.getByRole('complementary', { name: 'Thread' }).waitFor({ state: 'detached' })
      await mini().waitFor({ state: 'detached' })
      expect(await isPlaying(0)).toBe(true)
      await button('Search this conversation').click()
      await mini().getByRole('button', { name: 'Show in chat' }).click()
      await page.getByRole('complementary', { name: 'Search' }).waitFor({ state: 'detached' })
      expect(await isPlaying(0)).toBe(true)
    })

    it('is closed by keys, and the focus stays in the chat', async () => {
      await away()
      await mini().getByRole('button', { name: 'Stop playing' }).focus()
      await page.keyboard.press('Enter')
      await mini().waitFor({ state: 'detached' })
      expect(await isSilent()).toBe(true)
      expect(await page.evaluate(() => document.activeElement?.closest('.chat-pane') !== null)).toBe(true)
    })

    it('stays after the end of playback while it has the focus, and disappears with it', async () => {
      await adaOpens({ heard: [{ ...long, asset_url: voice('short.wav').asset_url }], before: 40 })
      await plays(0)
      await scroll().evaluate((it) => {
        it.scrollTop -= 1_500
      })
      await mini().getByRole('button', { name: 'Stop playing' }).focus()
      await nearlyEnds()
      await expect.poll(() => audio().evaluate((it: HTMLAudioElement) => it.ended), patiently).toBe(true)
      expect(await mini().count()).toBe(1)
      await page.locator('textarea').focus()
      await mini().waitFor({ state: 'detached' })
    })

    it('stays while it has the focus, and ends with the chat', async () => {
      await away()
      await mini().getByRole('button', { name: 'Stop playing' }).focus()
      await scroll().evaluate((it) => {
        it.scrollTop = it.scrollHeight
      })
      await row(0).waitFor()
      expect(await mini().count()).toBe(1)
      const heard = await audio().elementHandle()
      await page.evaluate(() => window.kitFixture.start())
      await expect.poll(() => heard!.evaluate((it) => (it as HTMLAudioElement).paused), patiently).toBe(true)
    })
  })
})
