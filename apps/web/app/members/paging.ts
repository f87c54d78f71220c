/** Rows of one page of a member list [NEW-36]. */
const PAGE_SIZE = 10

/** The highest page number there is; later rows are found by searching, not by paging [NEW-37]. */
export const HIGHEST_PAGE = 200

/** Where the modal keeps its search and page in the address [NEW-6, NEW-7, NEW-8]. */
export const modalParameters = { search: 'members-search', page: 'members-page' } as const

/** The directory of an organization can be on screen below the modal, so its parameters have names of their own. */
export const directoryParameters = {
  search: 'members-directory-search',
  page: 'members-directory-page',
  sort: 'members-directory-sort',
} as const

export interface Page<Row> {
  rows: Row[]
  /** The page that was given, from 1: a page beyond the last is read as the last one. */
  page: number
  /** At least 1 and at most {@link HIGHEST_PAGE}. */
  pageCount: number
  /** How many rows there are on all pages. */
  total: number
}

/** Reads the rows of one page, with the number brought into the range that exists. */
export async function pageOf<Row>(
  asked: number,
  total: number,
  read: (window: { limit: number; offset: number }) => Promise<Row[]>,
): Promise<Page<Row>> {
  const pageCount = Math.min(Math.max(Math.ceil(total / PAGE_SIZE), 1), HIGHEST_PAGE)
  const page = Math.min(asked, pageCount)
  return { rows: await read({ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }), page, pageCount, total }
}

/** The page number of an address; anything that is not a whole number from 1 is the first page [NEW-37]. */
export function readPage(value: string | null): number {
  return value && /^[1-9]\d*$/.test(value) ? Math.min(Number(value), HIGHEST_PAGE) : 1
}
