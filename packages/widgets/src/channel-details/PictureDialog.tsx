import type { Channel } from '@parley/client'
import { useEffect, useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { preparePicture } from '../attachments/prepare-picture.ts'
import { Avatar } from '../avatar/Avatar.tsx'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useGroup } from '../chat/use-group.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { Refusal } from '../dialog/Refusal.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { detailsOf } from '../notices/notices.ts'
import { EditIcon } from '../theme/icons.tsx'
import { TrashIcon } from '../theme/more-icons.tsx'

export interface PictureDialogProps {
  channel: Channel
  /** the title of the conversation */
  name: string
  onClose: () => void
}

/**
 * Changes or removes the picture of a group. An error is shown in the dialog, which stays open; closing it during an
 * upload cancels the upload.
 */
export default function PictureDialog({ channel, name, onClose }: PictureDialogProps) {
  const t = useTranslate()
  const announce = useAnnounce()
  const { image } = useChannelState(channel).data
  const group = useGroup(channel)
  const picker = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState<AbortController>()
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => () => busy?.abort(), [busy])

  const change = async (work: (signal: AbortSignal) => Promise<unknown>) => {
    if (busy) return
    const giveUp = new AbortController()
    setBusy(giveUp)
    setRefusal(undefined)
    try {
      await work(giveUp.signal)
      onClose()
    } catch (error) {
      if (giveUp.signal.aborted) return
      setRefusal(detailsOf(error))
      announce('problem', { text: t('details.picture.failed') })
      setBusy(undefined)
    }
  }
  const choose = (file: File) =>
    void change(async (signal) => {
      // The server may read a format that this browser cannot.
      const ready = await preparePicture(file).catch(() => file)
      const { file: address } = await channel.sendImage(ready, file.name, undefined, undefined, { signal })
      signal.throwIfAborted()
      await group.change({ do: 'picture', image: address })
    })

  return (
    <ChatDialog title={t('details.picture')} onClose={onClose}>
      <div className="chat-details-picture" aria-busy={busy !== undefined || undefined}>
        <Avatar id={channel.cid} name={name} image={image} size="large" />
        <button type="button" className="chat-details-action" onClick={() => !busy && picker.current?.click()}>
          <EditIcon />
          <span>{t(image ? 'details.picture.change' : 'details.picture.choose')}</span>
        </button>
        {image && (
          <button
            type="button"
            className="chat-details-action"
            data-danger
            onClick={() => void change(() => group.change({ do: 'picture', image: null }))}
          >
            <TrashIcon />
            <span>{t('details.picture.remove')}</span>
          </button>
        )}
        <input
          ref={picker}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          hidden
          aria-label={t('details.picture.choose')}
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            currentTarget.value = ''
            if (file) choose(file)
          }}
        />
      </div>
      {refusal !== undefined && <Refusal text={t('details.picture.failed')} details={refusal} />}
    </ChatDialog>
  )
}
