/** Rows of one page of a member list [NEW-36]. */
const PAGE_SIZE = 10

/** The highest page number; later rows are found by searching, not by paging [NEW-37]. */
export const HIGHEST_PAGE = 200

/** The modal's search parameters for its query and page [NEW-6, NEW-7, NEW-8]. */
export const modalParameters = { search: 'members-search', page: 'members-page' } as const

/** The directory of an organization can be on screen below the modal, so its parameters have other names. */
export const directoryParameters = {
  search: 'members-directory-search',
  page: 'members-directory-page',
  sort: 'members-directory-sort',
} as const

export interface Page<Row> {
  rows: Row[]
  /** The returned page, from 1: a page beyond the last becomes the last. */
  page: number
  /** At least 1 and at most {@link HIGHEST_PAGE}. */
  pageCount: number
  /** The number of rows on all pages. */
  total: number
}

/** Reads the rows of one page; a number out of range becomes the nearest page. */
export async function pageOf<Row>(
  asked: number,
  total: number,
  read: (window: { limit: number; offset: number }) => Promise<Row[]>,
): Promise<Page<Row>> {
  const pageCount = Math.min(Math.max(Math.ceil(total / PAGE_SIZE), 1), HIGHEST_PAGE)
  const page = Math.min(asked, pageCount)
  return { rows: await read({ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }), page, pageCount, total }
}

/** The page number in an address; anything but a whole number from 1 is the first page [NEW-37]. */
export function readPage(value: string | null): number {
  return value && /^[1-9]\d*$/.test(value) ? Math.min(Number(value), HIGHEST_PAGE) : 1
}
