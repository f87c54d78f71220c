import { PushTemplateAnswer, PushTemplateRequest, PushTemplatesAnswer } from '@parley/protocol/devices'
import Type from 'typebox'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { putTemplate, templatesOf } from './push-templates.ts'

const list = endpoint(
  {
    name: 'GetPushTemplates',
    method: 'GET',
    path: '/push_templates',
    query: Type.Object({
      push_provider_type: Type.Optional(Type.String()),
      push_provider_name: Type.Optional(Type.String()),
    }),
    answer: PushTemplatesAnswer,
    serverOnly: true,
  },
  async ({ caller, query }) => ({
    templates: templatesOf(caller.app, query.push_provider_type, query.push_provider_name),
  }),
)

const upsert = endpoint(
  {
    name: 'UpsertPushTemplate',
    method: 'POST',
    path: '/push_templates',
    body: PushTemplateRequest,
    answer: PushTemplateAnswer,
    serverOnly: true,
    status: 201,
  },
  async ({ caller, body }, server) => ({ template: await putTemplate(server, caller.app, body) }),
)

export const pushEndpoints: Endpoint[] = [list, upsert]
