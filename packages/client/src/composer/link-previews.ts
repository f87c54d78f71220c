import { firstLink } from '@parley/protocol/text/plain-text'
import { PREVIEW_REST_MS } from '../limits.ts'
import type { Attachment } from '../shapes.ts'
import type { Composer, ComposerContext } from './composer.ts'

/** The preview of a link, queried when typing has paused. */
export interface LinkPreview {
  readonly url: string
  readonly status: 'waiting' | 'loading' | 'loaded' | 'failed' | 'dismissed'
  /** The attachments sent in place of the server's own preview: the loaded ones, or none if dismissed. */
  readonly sends?: readonly Attachment[]
}

/**
 * Shows a preview of the first link in a composer's text, the one that the server shows as well [client.md 5.8]. A
 * loaded preview is sent with the message, and the server looks up no other.
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

  /** Called when the text has changed. */
  read() {
    const { channel, host, written, change } = this.#context
    const { text, linkPreview } = written()
    const { config, own_capabilities } = channel.data
    const allowed = config?.url_enrichment && own_capabilities?.includes('send-links')
    const url = allowed ? firstLink(text) : undefined
    if (text === '') this.#known.clear()
    // Also when the message, with its preview, has just been sent.
    if (url === undefined) this.#cancel()
    if (url === linkPreview?.url) return
    if (url === undefined) return change({ linkPreview: undefined })
    this.#cancel()
    const known = this.#known.get(url)
    change({ linkPreview: known ?? { url, status: 'waiting' } })
    if (!known) this.#cancel = host.clock.after(PREVIEW_REST_MS, () => void this.#load(url))
  }

  /**
   * Dismisses the preview of the current link: the message is sent without it, and it stays hidden for this message.
   */
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
    // Unless it was dismissed meanwhile.
    if (!this.#known.has(url)) this.#found(found)
  }

  #found(preview: LinkPreview) {
    this.#known.set(preview.url, preview)
    this.#show(preview)
  }

  /** Unless the text has another link by now. */
  #show(linkPreview: LinkPreview) {
    if (this.#context.written().linkPreview?.url === linkPreview.url) this.#context.change({ linkPreview })
  }
}
