import { answer } from '@parley/protocol/wire'
import Type from 'typebox'
import { type Endpoint, endpoint } from '../http/endpoint.ts'

const uploads = Type.Object({
  allowed_file_extensions: Type.Array(Type.String()),
  blocked_file_extensions: Type.Array(Type.String()),
  allowed_mime_types: Type.Array(Type.String()),
  blocked_mime_types: Type.Array(Type.String()),
  size_limit: Type.Integer(),
})
const anything = {
  allowed_file_extensions: [],
  blocked_file_extensions: [],
  allowed_mime_types: [],
  blocked_mime_types: [],
  size_limit: 0,
}

/** What a client may know of the app; no secret ever [SET-1, SET-4]. */
const get = endpoint(
  {
    name: 'GetApp',
    method: 'GET',
    path: '/app',
    answer: answer({
      app: Type.Object({
        name: Type.String(),
        file_upload_config: uploads,
        image_upload_config: uploads,
        auto_translation_enabled: Type.Boolean(),
        async_url_enrich_enabled: Type.Boolean(),
      }),
    }),
  },
  async ({ caller }) => ({
    app: {
      name: caller.app.name,
      file_upload_config: anything,
      image_upload_config: anything,
      auto_translation_enabled: false,
      async_url_enrich_enabled: false,
    },
  }),
)

export const appEndpoints: Endpoint[] = [get]
