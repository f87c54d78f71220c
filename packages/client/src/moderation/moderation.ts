import { ModerationCalls } from '../rare-calls.ts'

/** Moderators at work: what is to be looked at, and what was decided [client.md 5.6]. */
export class Moderation extends ModerationCalls {}
