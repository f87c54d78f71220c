/** The calls of `Channel` that a page makes now and then. Each asks first for what the channel lends to its parts. */

// The channel itself

export * from './channel-calls.ts'

// Drafts

export { createDraft, deleteDraft, getDraft } from '../drafts/draft-calls.ts'

// Files

export { deleteFile, deleteImage, sendFile, sendImage } from '../attachments/upload-calls.ts'

// Other nouns

export * from './channel-extras.ts'
