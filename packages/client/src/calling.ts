import type { Method, RequestOptions } from './http.ts'

/** The client functions that the call modules use; there is one such module per noun. */
export interface Calling {
  readonly isServerSide: boolean
  request<Fields>(method: Method, path: string, options?: RequestOptions): Promise<Fields>
}
