import { ModerationCalls } from '../rare-calls.ts'

/** Calls for moderators: the review queue, its actions and configurations [client.md 5.6]. */
export class Moderation extends ModerationCalls {}
