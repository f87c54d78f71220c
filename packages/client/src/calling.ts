import type { Method, RequestOptions } from './http.ts'

/** What the modules of calls, one for each noun, need of the client they are called on. */
export interface Calling {
  readonly isServerSide: boolean
  request<Fields>(method: Method, path: string, options?: RequestOptions): Promise<Fields>
}
