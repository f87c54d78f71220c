/**
 * Where words rest that the server does not have yet: drafts, and messages on their way. A `Map` is one that lasts as
 * long as the page; `indexedDBStorage` is one that outlives it. Values are plain data.
 */
export interface ClientStorage {
  get(key: string): unknown
  set(key: string, value: unknown): unknown
  delete(key: string): unknown
  keys(): Iterable<string>
  /**
   * This page sees to what rests here, until then; others with the same words, other tabs for example, leave it alone.
   */
  mind?(key: string, until: Promise<unknown>): unknown
}
