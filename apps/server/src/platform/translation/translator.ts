import Type from 'typebox'
import type { Clock } from '../clock.ts'
import { parseJson } from '../http/json.ts'
import { Validator } from '../http/validate.ts'
import { outboundFetch } from '../outbound/outbound-fetch.ts'

/** A user waits for it. */
const TIME_LIMIT_MS = 5_000
const SIZE_LIMIT_BYTES = 262_144

/** A translation service. */
export interface Translator {
  /**
   * @param to  a language code of the service
   * @returns the translation, and the code of the detected source language
   * @throws Error — the service did not answer, or does not know the language
   */
  translate(text: string, to: string): Promise<{ text: string; language: string }>
}

const Answer = Type.Object({
  translatedText: Type.String(),
  detectedLanguage: Type.Object({ language: Type.String({ pattern: '^[a-zA-Z-]{2,10}$' }) }),
})
const checkAnswer = new Validator(Answer)

/** A server with the LibreTranslate API, which can be self-hosted. */
export class LibreTranslate implements Translator {
  #url: string
  #key: string | undefined
  #clock: Clock
  constructor({ url, key }: { url: string; key: string | undefined }, clock: Clock) {
    this.#url = url
    this.#key = key
    this.#clock = clock
  }

  async translate(text: string, to: string) {
    const url = new URL(`${this.#url}/translate`)
    // The operator chose this host, so private addresses are allowed.
    const policy = { privateHosts: [url.host], clock: this.#clock }
    const answer = await outboundFetch(policy, url.href, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        q: text,
        source: 'auto',
        target: to,
        format: 'text',
        ...(this.#key && { api_key: this.#key }),
      }),
      timeLimitMs: TIME_LIMIT_MS,
      sizeLimitBytes: SIZE_LIMIT_BYTES,
      redirects: 0,
    })
    if (answer.status !== 200) throw new Error(`the translation service answered with status ${answer.status}`)
    const said = parseJson(answer.body.toString(), 'answer')
    checkAnswer.check(said)
    const { translatedText, detectedLanguage } = said as Type.Static<typeof Answer>
    return { text: translatedText, language: detectedLanguage.language }
  }
}
