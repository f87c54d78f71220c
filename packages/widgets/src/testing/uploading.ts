import type { Page, Route } from 'playwright-core'

/** A picture of 10 × 10 pixels. */
export const aPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
  'base64',
)

/** The part of a fake server that receives files: browsers send them past `fetch`. */
export interface UploadServer {
  /** Holds uploads back until `deliver`. */
  hold: () => void
  deliver: () => Promise<void>
  /** Refuses uploads from now on, with this message; accepts them again without one. */
  refuse: (message?: string) => void
  /** Names of the files that arrived or are held back. */
  asked: string[]
  /** The request bodies, each byte as one letter. */
  forms: string[]
}

export async function takesUploads(page: Page): Promise<UploadServer> {
  let held: Route[] | undefined
  let refusal: string | undefined
  const asked: string[] = []
  const forms: string[] = []
  const answer = async (route: Route) => {
    const headers = { 'access-control-allow-origin': '*' }
    if (refusal !== undefined) {
      const json = { code: -1, message: refusal, StatusCode: 500, duration: '1ms' }
      return route.fulfill({ status: 500, headers, json })
    }
    const name = nameIn(route)
    const file = `https://chat.example.com/files/${encodeURIComponent(name)}`
    const size = /\.png$/.test(name) ? { original_width: 10, original_height: 10 } : {}
    return route.fulfill({ status: 201, headers, json: { file, ...size, duration: '1ms' } })
  }
  await page.route(/\/channels\/[^/]+\/[^/]+\/(file|image)\?/, async (route) => {
    asked.push(nameIn(route))
    forms.push(formOf(route))
    if (held) held.push(route)
    else await answer(route)
  })
  return {
    hold: () => {
      held = []
    },
    async deliver() {
      const waiting = held ?? []
      held = undefined
      // An upload that was cancelled meanwhile takes no answer.
      for (const route of waiting) await answer(route).catch(() => {})
    },
    refuse: (message) => {
      refusal = message
    },
    asked,
    forms,
  }
}

function nameIn(route: Route): string {
  return /filename="([^"]*)"/.exec(formOf(route))?.[1] ?? ''
}

function formOf(route: Route): string {
  return route.request().postDataBuffer()?.toString('latin1') ?? ''
}
