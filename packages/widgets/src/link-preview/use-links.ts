import type { Composer } from '@parley/client'
import { useEffect } from 'react'

/** Lets the composer look at the links that are written in it; what does so comes with the first of them, if it can. */
export function useLinks(composer: Composer, text: string) {
  const wanted = text.includes('://')
  useEffect(() => {
    if (wanted && !composer.context.links)
      import('@parley/client/links').then(
        ({ LinkPreviews }) => composer.context.links ?? new LinkPreviews(composer),
        () => {},
      )
  }, [composer, wanted])
}
