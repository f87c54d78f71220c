/**
 * Tags by which the app's server groups channels. They are stored among the custom fields, where filters treat them
 * like any list; unlike custom fields they stay when a replace omits them.
 * @see messaging.md 4.4, 4.7
 */
import { FILTER_TAGS } from '@parley/protocol/limits'
import { inputError } from '../../platform/chat-error.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'

export function tagsOf({ data }: Pick<ChannelRow, 'data'>): string[] {
  return (JSON.parse(data) as { filter_tags?: string[] }).filter_tags ?? []
}

/** Custom data with these tags; an empty list removes the field. */
export function withTags(data: string, tags: readonly string[]): string {
  const { filter_tags: _, ...custom } = JSON.parse(data)
  return JSON.stringify(tags.length > 0 ? { ...custom, filter_tags: [...new Set(tags)] } : custom)
}

/** @throws ChatError InputError (4) — too many tags */
export function retagged(
  tags: readonly string[],
  { add_filter_tags = [], remove_filter_tags = [] }: { add_filter_tags?: string[]; remove_filter_tags?: string[] },
): string[] {
  const left = new Set([...tags, ...add_filter_tags]).difference(new Set(remove_filter_tags))
  // A channel already over the limit can still lose tags.
  if (left.size > Math.max(FILTER_TAGS, tags.length))
    throw inputError('add_filter_tags', `a channel has at most ${FILTER_TAGS} filter tags`)
  return [...left]
}
