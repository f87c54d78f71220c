/**
 * Storage for data that the server does not have yet: drafts and unsent messages. A `Map` lasts as long as the page;
 * `indexedDBStorage` survives it. Values are plain data.
 */
export interface ClientStorage {
  get(key: string): unknown
  set(key: string, value: unknown): unknown
  delete(key: string): unknown
  keys(): Iterable<string>
  /**
   * Marks an entry as handled by this page until the promise settles; other tabs with the same entries leave it alone.
   */
  mind?(key: string, until: Promise<unknown>): unknown
}
