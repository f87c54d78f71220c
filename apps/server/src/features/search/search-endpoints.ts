import { SearchAnswer, SearchPayload } from '@parley/protocol/search'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { searchMessages } from './search-messages.ts'

const search = endpoint(
  { name: 'Search', method: 'GET', path: '/search', payload: SearchPayload, answer: SearchAnswer },
  ({ caller, query }, server) => searchMessages(server, caller, query),
)

export const searchEndpoints: Endpoint[] = [search]
