import type { Composer } from '@parley/client'
import { useEffect } from 'react'

/** Lets the composer load previews of the links in its text; the code is loaded with the first link. */
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
