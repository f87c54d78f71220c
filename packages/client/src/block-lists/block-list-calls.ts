/** Word lists that messages may not contain; only for the application's own server [administration.md 5.1]. */
import type { Calling } from '../calling.ts'
import type { Answer, CallOptions } from '../shapes.ts'

export type BlockListKind = 'word' | 'regex' | 'domain' | 'domain_allowlist' | 'email' | 'email_allowlist'

export interface BlockListFlags {
  /** `cr3am` counts as `cream`. */
  is_leet_check_enabled?: boolean
  /** `creams` counts as `cream`. */
  is_plural_check_enabled?: boolean
  /** `icecream` contains `cream`. */
  is_substring_matching_enabled?: boolean
  /** Letters that look alike count as the same. */
  is_confusable_folding_enabled?: boolean
}

/** At most 10,000 words of at most 40 characters. */
export interface BlockListRequest extends BlockListFlags {
  name: string
  words: readonly string[]
  type?: BlockListKind
  team?: string
}

export interface BlockList extends Required<BlockListFlags> {
  id?: string
  name: string
  words: string[]
  type: BlockListKind
  team?: string
  created_at: string
  updated_at: string
}

/** The team of the list, in apps with teams. */
export type InTeam = { team?: string }

export function listBlockLists(
  client: Calling,
  options: InTeam = {},
  call: CallOptions = {},
): Promise<Answer<{ blocklists: BlockList[]; next_cursor?: string }>> {
  return client.request('GET', '/blocklists', { query: options, ...call })
}

export function getBlockList(
  client: Calling,
  name: string,
  options: InTeam = {},
  call: CallOptions = {},
): Promise<Answer<{ blocklist: BlockList }>> {
  return client.request('GET', listPath(name), { query: options, ...call })
}

export function createBlockList(
  client: Calling,
  list: BlockListRequest,
  call: CallOptions = {},
): Promise<Answer<{ blocklist: BlockList }>> {
  return client.request('POST', '/blocklists', { body: list, ...call })
}

export function updateBlockList(
  client: Calling,
  name: string,
  list: Omit<BlockListRequest, 'name' | 'type'>,
  call: CallOptions = {},
): Promise<Answer<{ blocklist: BlockList }>> {
  return client.request('PUT', listPath(name), { body: list, ...call })
}

export function deleteBlockList(
  client: Calling,
  name: string,
  options: InTeam = {},
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('DELETE', listPath(name), { query: options, ...call })
}

function listPath(name: string): string {
  return `/blocklists/${encodeURIComponent(name)}`
}
