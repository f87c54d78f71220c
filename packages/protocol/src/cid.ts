/** `<type>:<id>`, the name of a channel everywhere. */
export type ChannelId = string

const TYPE = /^[A-Za-z0-9_-]+$/
const ID = /^[A-Za-z0-9_!-]+$/

/** Letters, digits, `_` and `-` [CHN-4]. */
export function isChannelType(type: string): boolean {
  return TYPE.test(type)
}

/** Letters, digits, `_`, `-` and `!` [CHN-6]. The length is the server's business. */
export function isChannelId(id: string): boolean {
  return ID.test(id)
}

/** Whether a text is the name of a channel; an id of a user never is, it has no colon. */
export function isCid(text: string): boolean {
  const { type, id } = splitCid(text)
  return isChannelType(type) && isChannelId(id)
}

export function cidOf(type: string, id: string): ChannelId {
  return `${type}:${id}`
}

/** The two parts of a cid. Neither part can hold a colon, so the first one divides; without any, there is no type. */
export function splitCid(cid: ChannelId): { type: string; id: string } {
  const at = cid.indexOf(':')
  return { type: cid.slice(0, Math.max(0, at)), id: cid.slice(at + 1) }
}
