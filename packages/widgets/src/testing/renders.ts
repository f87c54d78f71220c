/** The messages that React rendered, found through the hook of its developer tools, in production builds as well. */

declare global {
  interface Window {
    /** Keys of the rows rendered since the last call; a row rendered twice is listed twice. */
    rendersOfRows: () => string[]
  }
}

/** Must run in a page before anything else. Self-contained: it is sent to the browser as text. */
export function watchRenders() {
  interface Fiber {
    child: Fiber | null
    sibling: Fiber | null
    alternate: Fiber | null
    flags: number
    tag: number
    memoizedProps: { 'data-key'?: string } | null
  }
  /** React's tags: components are functions, or wrapped in `memo`. */
  const FUNCTIONS = [0, 14, 15]
  const HOST = 5
  const PERFORMED_WORK = 1
  let rows: string[] = []

  /** Whether anything was rendered below a fiber; a child that is the same as before was skipped. */
  const look = (fiber: Fiber): boolean => {
    if (fiber.alternate && fiber.child === fiber.alternate.child) return false
    let rendered = false
    for (let child = fiber.child; child; child = child.sibling) {
      const key = child.tag === HOST ? child.memoizedProps?.['data-key'] : undefined
      const itself = FUNCTIONS.includes(child.tag) && (child.flags & PERFORMED_WORK) !== 0 && child !== child.alternate
      const below = look(child)
      if (key !== undefined && below) rows.push(key)
      if (itself || below) rendered = true
    }
    return rendered
  }

  Object.assign(window, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onScheduleFiberRoot() {},
      onCommitFiberUnmount() {},
      onPostCommitFiberRoot() {},
      onCommitFiberRoot(_: number, root: { current: Fiber }) {
        look(root.current)
      },
    },
    rendersOfRows() {
      const seen = rows
      rows = []
      return seen
    },
  })
}
