import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import type { Piece } from '../../platform/http/send-answer.ts'
import { withFields } from '../../platform/json-fields.ts'
import type { Server } from '../../server.ts'
import type { Credentials } from './authenticate.ts'
import type { Caller } from './caller.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The body of an upload, still on its way. */
export interface Incoming {
  body: Readable
  headers: IncomingHttpHeaders
}

/** A call's content, checked against the schemas of its endpoint. */
export interface Call<Body, Query> {
  caller: Caller
  /** As they came; for an open endpoint that looks at them itself. */
  credentials: Credentials
  params: Readonly<Record<string, string>>
  body: Body
  query: Query
  /** Of an endpoint with a form, and only of that. */
  incoming?: Incoming
  /** Calls back when the caller went away before the answer was complete. */
  whenGone(gone: () => void): void
}

export interface EndpointOptions<Body extends TSchema, Query extends TSchema, Answer extends TSchema> {
  /** The operation's name in error texts, rate limits and the page of the API [messaging.md 1.10]. */
  name: string
  method: Method
  path: string
  body?: Body
  /** What such a body may have, where it is more than those of others. */
  bodyBytes?: number
  /** The parts of a `multipart/form-data` body, in place of `body`; the handler reads it as it comes. */
  form?: TSchema
  /** Plain query parameters; all are text. */
  query?: Query
  /** The JSON of the query parameter `payload`, in place of `query`. */
  payload?: Query
  answer: Answer
  /** Needs no authentication; `caller.user` is absent then. */
  open?: boolean
  /** Only the app's server may call it; other callers are refused (17). */
  serverOnly?: boolean
  /** Its `user_id` names the requested user, and not the caller. */
  asksAboutUser?: boolean
  /** Creates the user that the app's server names, if missing. */
  makesUser?: boolean
  /** What a body of v2 has where it says nothing else. */
  v2Defaults?: Partial<Static<Body>>
  /** Status of success, 200 where it is not given. */
  status?: 200 | 201
}

/** A call's handler answers with this, and `duration` is added; `created` makes the status 201. */
export type Answered<Answer> = Omit<Answer, 'duration'>

// biome-ignore lint/suspicious/noExplicitAny: a list holds endpoints of every shape; each was checked where it was made.
export type Endpoint = EndpointOptions<any, any, any> & {
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  handle(call: Call<any, any>, server: Server): Promise<object>
}

/** An endpoint is a sentence: find it with the right to do this, do it, answer. */
export function endpoint<Body extends TSchema, Query extends TSchema, Answer extends TSchema>(
  options: EndpointOptions<Body, Query, Answer>,
  handle: (call: Call<Static<Body>, Static<Query>>, server: Server) => Promise<Answered<Static<Answer>>>,
): Endpoint {
  return { ...options, handle } as unknown as Endpoint
}

const madeNow = Symbol('made now')

/** Marks an answer about something that was made by this call: its status is 201. */
export function created<Answer extends object>(answer: Answer): Answer {
  return Object.assign(answer, { [madeNow]: true })
}

export function isCreated(answer: object): boolean {
  return madeNow in answer
}

const json = Symbol('json')

/**
 * An answer that is written already: the JSON of an object with what its endpoint promises, in pieces. They are never
 * put together: to copy a megabyte takes as long as to ask the database.
 *
 * @param end where the object ends
 */
export function written<Answer extends object>(pieces: readonly Piece[], end: string): Answer {
  return { [json]: { pieces, end } } as unknown as Answer
}

/** The JSON of an answer, with how long it took; no two texts follow each other. */
export function piecesOf(answer: object, duration: string): Piece[] {
  if (!(json in answer)) return [JSON.stringify({ ...answer, duration })]
  const { pieces, end } = answer[json] as { pieces: readonly Piece[]; end: string }
  const joined: Piece[] = []
  for (const piece of [...pieces, withFields(end, { duration })]) {
    const before = joined.at(-1)
    if (typeof piece === 'string' && typeof before === 'string') joined[joined.length - 1] = before + piece
    else joined.push(piece)
  }
  return joined
}
