import { errorKinds } from '@parley/protocol/errors'
import type { FastifySchema } from 'fastify'
import type { Endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'

/** An endpoint as its page of the API shows it, made from the schemas that check it. */
export function openApiSchemaOf(endpoint: Endpoint): FastifySchema & Record<string, unknown> {
  const params = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const example = exampleOf(endpoint)
  const query = endpoint.payload
    ? { type: 'object', properties: { payload: { type: 'string', description: 'JSON, URL-encoded' } } }
    : endpoint.query
  return {
    operationId: endpoint.name,
    summary: endpoint.name,
    tags: [endpoint.path.split('/')[1] ?? 'other'],
    ...(endpoint.body && { body: withExample(endpoint.body, example?.body) }),
    ...(endpoint.form && { consumes: ['multipart/form-data'], body: endpoint.form }),
    ...(query && { querystring: withExamples(query, example?.query) }),
    ...(params.length > 0 && {
      params: {
        type: 'object',
        properties: Object.fromEntries(params.map((name) => [name, { type: 'string' }])),
        required: params,
      },
    }),
    response: {
      [endpoint.status ?? 200]: withExample(endpoint.answer, example?.refused ? undefined : example?.answer),
      '4xx': withExample(errorSchema, example?.refused ? example.answer : undefined),
    },
    ...(!endpoint.open && { security: [{ token: [] }] }),
  }
}

function withExample(schema: object, example: unknown): object {
  return example === undefined ? schema : { ...schema, examples: [example] }
}

/** Query parameters have their examples one by one. */
function withExamples(
  schema: { properties?: Record<string, object> },
  query: Record<string, string> | undefined,
): object {
  const properties = Object.entries(schema.properties ?? {}).map(([name, shape]) => [
    name,
    query && Object.hasOwn(query, name) ? { ...shape, examples: [query[name]] } : shape,
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
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
