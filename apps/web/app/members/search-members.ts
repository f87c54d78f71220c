import type { LoaderFunctionArgs } from 'react-router'
import { productContext } from '../product.server.ts'
import { requireCaller } from '../session/session.server.ts'
import { type Membership, membershipsToChatWith } from './member-store.server.ts'
import { modalParameters, readPage } from './paging.ts'

/** The response of the member search [NEW-32]. `membershipsCount` counts the rows of all pages. */
export interface MemberSearch {
  memberships: Membership[]
  membershipsPageCount: number
  membershipsPage: number
  membershipsCount: number
}

/** `GET /chat/modals/searchMembers?search=&members-page=` [NEW-31]. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const searcher = requireCaller({ context })
  if (!searcher.chatAccess) throw Response.json({ type: 'error', error: 'Chat is off.' }, { status: 403 }) // [APP-6]
  const { searchParams } = new URL(request.url)
  const { rows, page, pageCount, total } = await membershipsToChatWith(context.get(productContext).database, {
    searcherId: searcher.id,
    search: searchParams.get('search') ?? '',
    page: readPage(searchParams.get(modalParameters.page) ?? searchParams.get('page')),
  })
  return Response.json({
    memberships: rows,
    membershipsPageCount: pageCount,
    membershipsPage: page,
    membershipsCount: total,
  } satisfies MemberSearch)
}
