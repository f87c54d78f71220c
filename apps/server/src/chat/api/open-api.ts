import { readdirSync } from 'node:fs'
import type { StaticDocumentSpec } from '@fastify/swagger'
import { errorKinds } from '@parley/protocol/errors'
import { CUSTOM, type CustomMark } from '@parley/protocol/wire'
import type { TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { v2PathsOf } from './v2-paths.ts'
import { toV2 } from './v2-shapes.ts'

/** A document as its page takes it. */
type OpenApi = StaticDocumentSpec['document']

/** Each has a document of its own: the calls are the same, their paths and some of their shapes are not. */
export type Generation = 'v1' | 'v2'

/** What is read of a schema. */
type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; [CUSTOM]?: CustomMark }

/** Shapes of the protocol that have a name, by their properties, which are the same object wherever a shape is used. */
type Names = ReadonlyMap<object, string>

/**
 * The API as OpenAPI describes it, generated from the schemas that validate requests, with recorded examples. Shapes
 * used by several calls are described once, under the name the protocol gives them.
 */
export function openApiOf(endpoints: readonly Endpoint[], generation: Generation = 'v1'): Promise<OpenApi> {
  const documents = made[generation]
  const known = documents.get(endpoints) ?? makeOpenApi(endpoints, generation)
  documents.set(endpoints, known)
  return known
}

/** They are the same for every server of a process. */
const made: Record<Generation, WeakMap<readonly Endpoint[], Promise<OpenApi>>> = {
  v1: new WeakMap(),
  v2: new WeakMap(),
}

async function makeOpenApi(endpoints: readonly Endpoint[], generation: Generation): Promise<OpenApi> {
  const shapes = await shapesOfProtocol()
  const names: Names = new Map([...shapes].map(([name, { properties }]) => [properties!, name]))
  const alike = Map.groupBy(endpoints, ({ name }) => name)
  const paths = Map.groupBy(endpoints, ({ path }) => pathIn(generation, path).replace(/:(\w+)/g, '{$1}'))
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Parley chat server',
      version: generation.slice(1),
      description:
        `Speaks the ${generation} API of Stream Chat; not affiliated with Stream.io. Every call names its app with ` +
        '`api_key`, and carries a token that was signed with the secret of the app: that of a user, or of the app’s own ' +
        `server. ${otherPage[generation]}`,
    },
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'query', name: 'api_key' },
        token: { type: 'apiKey', in: 'header', name: 'Authorization' },
      },
      schemas: Object.fromEntries(
        [...shapes].map(([name, shape]) => [name, withNames(shape, names, generation, { itself: true })]),
      ),
    },
    security: [{ key: [], token: [] }],
    paths: Object.fromEntries(
      [...paths].map(([path, calls]) => [
        path,
        Object.fromEntries(
          calls.map((endpoint) => {
            const isOnly = alike.get(endpoint.name)!.length === 1
            const operationId = isOnly ? endpoint.name : [endpoint.name, ...paramsOf(endpoint)].join('_')
            return [endpoint.method.toLowerCase(), { operationId, ...operation(endpoint, names, generation) }]
          }),
        ),
      ]),
    ),
  }
  return document as unknown as OpenApi
}

const otherPage: Record<Generation, string> = {
  v1: 'Newer clients call the paths and shapes of [v2](/docs/v2).',
  v2: 'The same calls have the paths and shapes of [v1](/docs) as well.',
}

/** The usual path of an endpoint in a generation. */
function pathIn(generation: Generation, path: string): string {
  return (generation === 'v2' && v2PathsOf(path)[0]) || path
}

/** A recorded value of a call in the shape of a generation. */
function shaped(generation: Generation, { path }: Endpoint, schema: TSchema | undefined, value: unknown): unknown {
  const isAdapted = generation === 'v2' && v2PathsOf(path).length > 0
  return isAdapted && schema ? toV2(schema, value, { nanoseconds: false }) : value
}

function operation(endpoint: Endpoint, names: Names, generation: Generation): object {
  const example = exampleOf(endpoint)
  const query: Record<string, Schema> = endpoint.payload
    ? { payload: { type: 'string', description: 'JSON, URL-encoded' } }
    : (endpoint.query?.properties ?? {})
  const body = endpoint.body ?? endpoint.form
  const refusal = { schema: errorSchema, ...(example?.refused && { example: example.answer }) }
  const success = {
    schema: withNames(endpoint.answer, names, generation),
    ...(example && !example.refused && { example: shaped(generation, endpoint, endpoint.answer, example.answer) }),
  }
  return {
    summary: endpoint.name,
    tags: [/^\/(?:api\/v2\/)?([^/]+)/.exec(endpoint.path)![1]],
    ...(endpoint.open && { security: [{ key: [] }] }),
    parameters: [
      ...paramsOf(endpoint).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...Object.entries(query).map(([name, schema]) => ({
        name,
        in: 'query',
        schema: withNames(schema, names, generation),
        ...(example?.query && Object.hasOwn(example.query, name) && { example: example.query[name] }),
      })),
    ],
    ...(body && {
      requestBody: {
        content: {
          [endpoint.form ? 'multipart/form-data' : 'application/json']: {
            schema: withNames(body, names, generation),
            ...(example?.body !== undefined && { example: shaped(generation, endpoint, endpoint.body, example.body) }),
          },
        },
      },
    }),
    responses: {
      [endpoint.status ?? 200]: { description: 'It worked.', content: { 'application/json': success } },
      '4XX': { description: 'It was refused.', content: { 'application/json': refusal } },
    },
  }
}

function paramsOf({ path }: Endpoint): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
}

/** A schema in which the shapes that have a name are called by it. */
function withNames(schema: object, names: Names, generation: Generation, { itself = false } = {}): unknown {
  const { properties, [CUSTOM]: custom, ...others } = schema as Schema
  const name = properties && !itself && names.get(properties)
  if (name) return { $ref: `#/components/schemas/${name}` }
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain)
    return typeof value === 'object' && value !== null ? withNames(value, names, generation) : value
  }
  const entries = (of: object) => Object.entries(of).map(([key, value]) => [key, plain(value)])
  const nested = custom && generation === 'v2' && { custom: { type: 'object', additionalProperties: true } }
  return Object.fromEntries([
    ...entries(others),
    ...(properties ? [['properties', { ...Object.fromEntries(entries(properties)), ...nested }]] : []),
    ...(custom && !nested ? [['additionalProperties', true]] : []),
  ])
}

/** The protocol's object shapes, by name; those of single requests and answers are described with their call. */
async function shapesOfProtocol(): Promise<Map<string, Schema>> {
  const folder = new URL('.', import.meta.resolve('@parley/protocol/wire'))
  const files = readdirSync(folder).filter((file) => /^[\w-]+\.ts$/.test(file))
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href)))
  return new Map(
    modules
      .flatMap((module) => Object.entries<Schema>(module))
      .filter(
        ([name, shape]) => /^[A-Z]\w+$/.test(name) && !/(Answer|Request|Query|Payload)$/.test(name) && shape.properties,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

const errorSchema = {
  type: 'object',
  description: Object.entries(errorKinds)
    .map(([kind, { code }]) => `${code} ${kind}`)
    .join(' · '),
  properties: {
    code: { type: 'integer' },
    message: { type: 'string' },
    StatusCode: { type: 'integer' },
    duration: { type: 'string' },
    more_info: { type: 'string' },
    details: { type: 'array', items: { type: 'integer' } },
    exception_fields: { type: 'object', additionalProperties: { type: 'string' } },
  },
}
