/**
 * Where newer clients call an endpoint: v2 has the calls of v1 behind `/api/v2` or `/api/v2/chat`, depending on the
 * client and the noun. Both prefixes lead to each.
 * @see docs/wire/v2-endpoints.md
 */
const V2 = '/api/v2'

/** Nouns that v2 has outside of chat, since other products of the hosted provider share them. */
const shared: ReadonlySet<string> = new Set(
  `app blocklists check_push check_sns check_sqs devices guest import_urls imports og permissions polls push_preferences
   push_providers push_templates rate_limits roles tasks uploads users`.split(/\s+/),
)

/** All paths of v2 at which an endpoint of v1 answers; the first one is the usual one. */
export function v2PathsOf(path: string): readonly string[] {
  if (isV2(path)) return []
  // Moderation has calls of its own in v2, with other shapes.
  if (/^\/moderation\b/.test(path)) return [`${V2}/chat${path}`]
  const both = [V2 + path, `${V2}/chat${path}`]
  return shared.has(path.split('/')[1]!) || /^\/export\/users$/.test(path) ? both : both.reverse()
}

/** Whether an endpoint is one of v2 alone. */
export function isV2(path: string): boolean {
  return path.startsWith(`${V2}/`)
}
