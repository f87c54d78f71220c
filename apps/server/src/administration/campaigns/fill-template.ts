import { ChatError } from '../../platform/chat-error.ts'

/** Maximum characters filled in for one receiver: far more than any message may have. */
const FILLED_CHARS = 262_144

const PLACEHOLDER = /\{\{([^{}]{0,255})\}\}/g

/** The values templates can name: `{{ receiver.name }}`; a target channel has no `receiver`. */
export interface Named {
  sender?: object
  receiver?: object | undefined
  channel?: object
}

/**
 * Fills in the templates of one message: `{{ name }}` becomes the text, number or boolean of that name, or an empty
 * string if there is none. Filled-in text is never parsed as a template itself.
 */
export class Filling {
  #named: Named
  #left = FILLED_CHARS
  constructor(named: Named) {
    this.#named = named
  }

  /** @throws ChatError MessageTooLongError (20) — the result is far too long */
  text(template: string): string {
    const text = template.replaceAll(PLACEHOLDER, (_, path: string) => {
      const value = textAt(this.#named, path.trim())
      this.#spend(value.length)
      return value
    })
    this.#spend(template.length)
    return text
  }

  /** Fills in strings anywhere in arrays and objects; keys stay as they are. */
  value<Value>(template: Value): Value {
    return this.#filled(template) as Value
  }

  #filled(template: unknown): unknown {
    if (typeof template === 'string') return this.text(template)
    if (Array.isArray(template)) return template.map((item) => this.#filled(item))
    if (typeof template !== 'object' || template === null) return template
    return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, this.#filled(value)]))
  }

  #spend(chars: number) {
    this.#left -= chars
    if (this.#left < 0) throw new ChatError('MessageTooLongError', 'the templates come to far too much text')
  }
}

function textAt(named: Named, path: string): string {
  let value: unknown = named
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return ''
    value = (value as Record<string, unknown>)[name]
  }
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
