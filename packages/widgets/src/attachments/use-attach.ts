import type { Channel, ChannelState } from '@parley/client'
import { useCallback } from 'react'
import { may } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { useNotices } from '../notices/use-notices.ts'
import { useComposerHere } from '../threads/thread-scope.ts'

/** Adds files to the composer of the channel, or of the thread around; pictures are prepared first [ATT-20]. */
export function useAttach(channel: Channel): (files: Iterable<File>) => void {
  const { originalPictures } = useChat()
  const composer = useComposerHere(channel)
  const notices = useNotices()
  return useCallback(
    (files) => {
      if (mayUpload(channel.snapshot())) void composer.attach(files, {}, originalPictures ? undefined : prepared)
      else notices.show('error', 'upload.permission')
    },
    [channel, composer, notices, originalPictures],
  )
}

/** A file that no message may contain need not be uploaded. */
export function mayUpload(state: ChannelState): boolean {
  return may(state, 'upload-file') && may(state, 'create-attachment')
}

async function prepared(file: File): Promise<File> {
  if (!file.type.startsWith('image/')) return file
  const { preparePicture } = await import('./prepare-picture.ts')
  return preparePicture(file)
}
