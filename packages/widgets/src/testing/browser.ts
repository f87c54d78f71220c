import {
  aBrowserOn as aBrowserOnPage,
  type FixtureBrowser,
  type OpenFixture,
} from '../../../../scripts/fixture-browser.ts'

export type { FixtureBrowser, OpenFixture }

/** A real browser on a page of this folder by default. */
export function aBrowserOn(
  html: string,
  folder = import.meta.dirname,
  text?: (text: string) => unknown,
): Promise<FixtureBrowser> {
  return aBrowserOnPage(html, folder, text)
}
