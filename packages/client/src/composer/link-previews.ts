import { firstLink } from '@parley/protocol/links-in-text'
import { PREVIEW_REST_MS } from '../limits.ts'
import type { Attachment } from '../shapes.ts'
import type { Composer, ComposerContext } from './composer.ts'

/** What a link leads to. It is asked for when the keys have rested. */
export interface LinkPreview {
  readonly url: string
  readonly status: 'waiting' | 'loading' | 'loaded' | 'failed' | 'dismissed'
  /** What is sent in place of what the server would find: what was loaded, and nothing of a dismissed one. */
  readonly sends?: readonly Attachment[]
}

/**
 * Shows in a composer what the first link of its text leads to, which is the one that the server shows as well
 * [client.md 5.8]. What is there when the message is sent goes with it, and the server looks for no other.
 *
 * ```ts
 * import { LinkPreviews } from '@parley/client/links'
 *
 * const links = new LinkPreviews(channel.composer)
 * ```
 */
export class LinkPreviews {
  #context: ComposerContext
  #known = new Map<string, LinkPreview>()
  #cancel = () => {}
  constructor({ context }: Composer) {
    this.#context = context
    context.links = this
    this.read()
  }

  /** The text has changed. */
  read() {
    const { channel, host, written, change } = this.#context
    const { text, linkPreview } = written()
    const { config, own_capabilities } = channel.data
    const allowed = config?.url_enrichment && own_capabilities?.includes('send-links')
    const url = allowed ? firstLink(text) : undefined
    if (text === '') this.#known.clear()
    // Also when the message has just been sent, and its preview with it.
    if (url === undefined) this.#cancel()
    if (url === linkPreview?.url) return
    if (url === undefined) return change({ linkPreview: undefined })
    this.#cancel()
    const known = this.#known.get(url)
    change({ linkPreview: known ?? { url, status: 'waiting' } })
    if (!known) this.#cancel = host.clock.after(PREVIEW_REST_MS, () => void this.#load(url))
  }

  /** Sends the message without a preview of the link it has now, which stays away as long as the message is written. */
  dismiss() {
    const url = this.#context.written().linkPreview?.url
    if (url !== undefined) this.#found({ url, status: 'dismissed', sends: [] })
  }

  async #load(url: string) {
    if (this.#known.has(url)) return
    this.#show({ url, status: 'loading' })
    const found = await this.#context.host.client.enrichURL(url).then(
      ({ duration: _, ...attachment }): LinkPreview => ({ url, status: 'loaded', sends: [attachment as Attachment] }),
      (): LinkPreview => ({ url, status: 'failed' }),
    )
    // Unless it was taken away meanwhile.
    if (!this.#known.has(url)) this.#found(found)
  }

  #found(preview: LinkPreview) {
    this.#known.set(preview.url, preview)
    this.#show(preview)
  }

  /** Unless another link stands there by now. */
  #show(linkPreview: LinkPreview) {
    if (this.#context.written().linkPreview?.url === linkPreview.url) this.#context.change({ linkPreview })
  }
}
