/** An address nobody knows: the error page of the root says so. */
export function loader(): never {
  throw new Response('Not found', { status: 404 })
}
