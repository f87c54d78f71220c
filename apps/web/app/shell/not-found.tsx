/** An unknown address: the root's error page shows it. */
export function loader(): never {
  throw new Response('Not found', { status: 404 })
}

/** Never rendered; a route without a component would respond with plain text. */
export default function NotFound() {
  return null
}
