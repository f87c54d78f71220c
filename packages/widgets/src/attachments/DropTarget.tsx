import type { Channel } from '@parley/client'
import { useContext, useEffect, useRef, useState } from 'react'
import { channelName, partnerOf } from '../chat/channel-facts.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { forbiddenBecause } from '../composer/composer-limits.ts'
import { useTranslation } from '../i18n/translate.ts'
import { AttachIcon, ForbiddenIcon } from '../theme/icons.tsx'
import { InThread, useComposerHere } from '../threads/thread-scope.ts'
import { mayUpload, useAttach } from './use-attach.ts'

/**
 * Accepts dropped files anywhere on the element around it, and shows so while they are dragged over it. The files go
 * into the composer of the channel, or of the thread around.
 *
 * Style hooks: `.chat-drop[data-forbidden]`.
 */
export function DropTarget({ channel }: { channel: Channel }) {
  const { t, language } = useTranslation()
  const state = useChannelState(channel)
  const composer = useComposerHere(channel)
  const attach = useAttach(channel)
  const { userID } = useClient()
  const cover = useRef<HTMLDivElement>(null)
  const [over, setOver] = useState(false)
  const inThread = useContext(InThread) !== undefined
  const name = channelName(t, language, state, userID)
  const isDirect = partnerOf(state, userID) !== undefined
  const allowed = mayUpload(state) && !forbiddenBecause(state, userID, inThread)

  useEffect(() => {
    const pane = cover.current?.parentElement
    if (!pane) return
    const hang = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = allowed ? 'copy' : 'none'
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!pane.contains(event.relatedTarget as Node | null)) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setOver(false)
      if (!allowed || composer.snapshot().editing) return
      attach(filesOf(event.dataTransfer))
      pane.querySelector<HTMLElement>('.chat-composer textarea')?.focus()
    }
    pane.addEventListener('dragenter', hang)
    pane.addEventListener('dragover', hang)
    pane.addEventListener('dragleave', leave)
    pane.addEventListener('drop', drop)
    return () => {
      pane.removeEventListener('dragenter', hang)
      pane.removeEventListener('dragover', hang)
      pane.removeEventListener('dragleave', leave)
      pane.removeEventListener('drop', drop)
    }
  }, [allowed, composer, attach])

  return (
    <div ref={cover} className="chat-drop" hidden={!over} data-forbidden={!allowed || undefined}>
      <p>
        {allowed ? <AttachIcon /> : <ForbiddenIcon />}
        <span>
          {!allowed
            ? t('uploads.drop.forbidden')
            : isDirect
              ? t('uploads.drop.direct', { name })
              : t('uploads.drop', { channel: name })}
        </span>
      </p>
    </div>
  )
}

/** A folder is not a file, although the browser reports it as an unreadable one. */
function filesOf({ items }: DataTransfer): File[] {
  return [...items].flatMap((item) => {
    const file = item.webkitGetAsEntry()?.isDirectory ? undefined : item.getAsFile()
    return file ? [file] : []
  })
}
