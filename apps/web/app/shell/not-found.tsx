/** An address nobody knows: the error page of the root says so. */
export function loader(): never {
  throw new Response('Not found', { status: 404 })
}

/** Never shown; a route without a component would answer with bare text. */
export default function NotFound() {
  return null
}
