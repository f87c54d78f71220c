/**
 * Declares the custom fields of an application's objects, by declaration merging:
 *
 * ```ts
 * declare module '@parley/client' {
 *   interface CustomUserData { department?: string }
 * }
 * ```
 *
 * @see client.md 0.1
 */
// biome-ignore-start lint/suspicious/noEmptyInterface: an application fills these by declaration merging
export interface CustomUserData {}
export interface CustomChannelData {}
export interface CustomMessageData {}
export interface CustomAttachmentData {}
export interface CustomMemberData {}
export interface CustomReactionData {}
export interface CustomEventData {}
export interface CustomPollData {}
export interface CustomPollOptionData {}
export interface CustomThreadData {}
export interface CustomCommandData {}
/** The types of the application's own events, each with its fields: `'tea.is.ready': { cups: number }`. */
export interface CustomEvents {}
// biome-ignore-end lint/suspicious/noEmptyInterface: see above
