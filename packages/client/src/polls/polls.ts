import { LoadedPolls } from '../rare-calls.ts'

/** The polls one can see; calls about polls are calls of the client [client.md 5.3]. */
export class Polls extends LoadedPolls {}
