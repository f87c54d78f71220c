/** Two concurrent steps in an order that a test decides. */

/**
 * The next time this is done, something else is done just before.
 *
 * @param isMeant  by what the method is given; the very next time, without it
 */
export function justBefore<Method extends string>(
  // biome-ignore lint/suspicious/noExplicitAny: whatever the method takes is handed on.
  whose: { [M in Method]: (...given: any[]) => any },
  method: Method,
  act: () => Promise<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  isMeant: (...given: any[]) => boolean = () => true,
) {
  const original = whose[method]
  whose[method] = async (...given) => {
    if (isMeant(...given)) {
      whose[method] = original
      await act()
    }
    return original.apply(whose, given)
  }
}
