import { source } from 'axe-core'
import type { Page } from 'playwright-core'

interface Found {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/** Rules for whole pages; a part of one cannot satisfy them. */
const OF_PAGES = {
  region: { enabled: false },
  'landmark-one-main': { enabled: false },
  'page-has-heading-one': { enabled: false },
}

/**
 * The accessibility violations of the page at this moment, a line each; empty when there are none [APP-9].
 *
 * @param on  the selector of a part to check alone; the whole page by default
 */
export async function axeFinds(page: Page, on?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(
    async ([on, rules]) => {
      const { axe } = window as unknown as {
        axe: { run(on: string | Document, options: object): Promise<{ violations: Found[] }> }
      }
      // For passed rules, which are many more, axe would compute a selector of each element.
      const { violations } = await axe.run(on ?? document, {
        resultTypes: ['violations'],
        ...(on !== undefined && { rules }),
      })
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
      )
    },
    [on, OF_PAGES] as const,
  )
}

/** Waits until nothing fades or moves: axe measures the colours of the moment. */
export async function standsStill(page: Page) {
  await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
    const finite = document.getAnimations().filter((it) => it.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(finite.map(({ finished }) => finished.catch(() => {})))
  })
}
