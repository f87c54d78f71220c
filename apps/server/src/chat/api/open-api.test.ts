import assert from 'node:assert/strict'
import { errorKinds } from '@parley/protocol/errors'
import { UserAnswer } from '@parley/protocol/users'
import { Type } from 'typebox'
import { describe, it } from 'vitest'
import { endpoint } from './endpoint.ts'
import { exampleOf } from './examples.ts'
import { openApiOf } from './open-api.ts'

const Cup = Type.Object({ size: Type.Union([Type.Literal('small'), Type.Literal('large')]) })
const answer = Type.Object({ cup: Cup })
const handle = async () => ({ cup: { size: 'small' as const } })
const route = { method: 'GET', path: '/messages/:id/reactions' } as const
const endpoints = [
  endpoint({ name: 'GetCup', ...route, query: Type.Object({ limit: Type.String() }), answer }, handle),
  endpoint({ name: 'PourCup', method: 'POST', path: '/cups', body: Cup, answer, status: 201 }, handle),
  endpoint({ name: 'PourCup', method: 'POST', path: '/cups/:kind', form: Cup, answer, open: true }, handle),
  endpoint({ name: 'FindCups', method: 'GET', path: '/api/v2/cups', payload: Cup, answer }, handle),
  endpoint({ name: 'CreateCall', method: 'POST', path: '/channels/:type/:id/call', answer }, handle),
  endpoint({ name: 'GetMe', method: 'GET', path: '/me', answer: UserAnswer }, async () => ({}) as never),
]
const document = JSON.parse(JSON.stringify(await openApiOf(endpoints)))
const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
const json = (content: object) => ({ 'application/json': plain(content) })

describe('the OpenAPI description', () => {
  it('has the server info, and the parameters of every call', () => {
    const { openapi, info, security, components } = document
    assert.deepEqual(
      [openapi, info.title, info.version, security],
      ['3.1.0', 'Parley chat server', '1', [{ key: [], token: [] }]],
    )
    assert.deepEqual(components.securitySchemes, {
      key: { type: 'apiKey', in: 'query', name: 'api_key' },
      token: { type: 'apiKey', in: 'header', name: 'Authorization' },
    })
  })

  it('has each operation at its path, under a unique id', () => {
    const ids = Object.entries<Record<string, { operationId: string }>>(document.paths).map(([path, calls]) => [
      path,
      ...Object.entries(calls).map(([method, { operationId }]) => `${method} ${operationId}`),
    ])
    assert.deepEqual(ids, [
      ['/messages/{id}/reactions', 'get GetCup'],
      ['/cups', 'post PourCup'],
      ['/cups/{kind}', 'post PourCup_kind'],
      ['/api/v2/cups', 'get FindCups'],
      ['/channels/{type}/{id}/call', 'post CreateCall'],
      ['/me', 'get GetMe'],
    ])
  })

  it('has the request and response of a call, with recorded examples', () => {
    const example = exampleOf(route)!
    const { '4XX': refusal, ...success } = document.paths['/messages/{id}/reactions'].get.responses
    const { limit } = example.query!
    assert.deepEqual(
      { ...document.paths['/messages/{id}/reactions'].get, responses: success },
      {
        operationId: 'GetCup',
        summary: 'GetCup',
        tags: ['messages'],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'string' }, ...(limit !== undefined && { example: limit }) },
        ],
        responses: {
          200: { description: 'It worked.', content: json({ schema: answer, example: example.answer }) },
        },
      },
    )
    const { schema, ...others } = refusal.content['application/json']
    assert.deepEqual([refusal.description, others], ['It was refused.', {}])
    for (const [kind, { code }] of Object.entries(errorKinds)) assert.ok(schema.description.includes(`${code} ${kind}`))
    assert.deepEqual(
      Object.entries<{ type: string }>(schema.properties).map(([name, { type }]) => `${name}: ${type}`),
      [
        ...['code: integer', 'message: string', 'StatusCode: integer', 'duration: string', 'more_info: string'],
        ...['details: array', 'exception_fields: object'],
      ],
    )
    assert.deepEqual(
      [schema.type, schema.properties.details.items, schema.properties.exception_fields.additionalProperties],
      ['object', { type: 'integer' }, { type: 'string' }],
    )
  })

  it('distinguishes a body from a form, and authenticated from unauthenticated callers', () => {
    const { '/cups': made, '/cups/{kind}': sent, '/api/v2/cups': found } = document.paths
    assert.deepEqual(made.post.requestBody, { content: json({ schema: Cup }) })
    assert.deepEqual(Object.keys(made.post.responses), ['201', '4XX'])
    assert.deepEqual([made.post.tags, made.post.security, made.post.parameters], [['cups'], undefined, []])
    assert.deepEqual(sent.post.requestBody, { content: { 'multipart/form-data': { schema: plain(Cup) } } })
    assert.deepEqual([sent.post.security, found.get.tags], [[{ key: [] }], ['cups']])
    assert.deepEqual(found.get.parameters, [
      { name: 'payload', in: 'query', schema: { type: 'string', description: 'JSON, URL-encoded' } },
    ])
    assert.equal(found.get.requestBody, undefined)
  })

  it('shows an error where no other response exists', () => {
    const { responses } = document.paths['/channels/{type}/{id}/call'].post
    const { answer } = exampleOf({ method: 'POST', path: '/channels/:type/:id/call' })!
    assert.deepEqual(responses['4XX'].content['application/json'].example, answer)
    assert.equal(responses['200'].content['application/json'].example, undefined)
  })

  it('names a shape of the protocol, and describes it once', () => {
    const { content } = document.paths['/me'].get.responses['200']
    assert.deepEqual(content['application/json'].schema.properties.user, { $ref: '#/components/schemas/User' })
    const { schemas } = document.components
    assert.ok(schemas.User.properties.id)
    const names = Object.keys(schemas)
    assert.deepEqual(names, names.toSorted())
    assert.deepEqual(
      names.filter((name) => !/^[A-Z]\w+$/.test(name) || /(Answer|Request|Query|Payload)$/.test(name)),
      [],
    )
  })
})
