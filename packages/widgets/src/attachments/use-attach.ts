import type { Channel } from '@parley/client'
import { useCallback } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { useComposerHere } from '../threads/thread-scope.ts'

/** Puts files into the composer of the channel, or of the thread around; pictures are made ready first [ATT-20]. */
export function useAttach(channel: Channel): (files: Iterable<File>) => void {
  const { originalPictures } = useChat()
  const composer = useComposerHere(channel)
  return useCallback(
    (files) => void composer.attach(files, {}, originalPictures ? undefined : prepared),
    [composer, originalPictures],
  )
}

async function prepared(file: File): Promise<File> {
  if (!file.type.startsWith('image/')) return file
  const { preparePicture } = await import('./prepare-picture.ts')
  return preparePicture(file)
}
