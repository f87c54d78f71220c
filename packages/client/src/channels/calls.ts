/** The calls of `Channel` that a page rarely makes. Each takes the `ChannelContext` first. */

// The channel itself

export * from './channel-calls.ts'

// Drafts

export { createDraft, deleteDraft, getDraft } from '../drafts/draft-calls.ts'

// Files

export { deleteFile, deleteImage, sendFile, sendImage } from '../attachments/upload-calls.ts'

// Bans, pins, search and votes

export * from './channel-extras.ts'
