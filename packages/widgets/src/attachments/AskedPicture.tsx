import { type ComponentProps, cloneElement, type ReactElement, useState } from 'react'
import { useTranslation } from '../i18n/translate.ts'
import { DownloadIcon } from '../theme/more-icons.tsx'
import { FileName } from './FileName.tsx'
import { fileSize } from './file-words.ts'
import type { Picture } from './pictures.ts'
import { wanted } from './use-fetched.ts'

export interface AskedPictureProps {
  picture: Picture
  name: string
  /** how many pictures are not shown */
  more: number | undefined
  /** the button of the picture; it stays the same one, so it keeps the focus after a press */
  children: ReactElement<ComponentProps<'button'>>
}

/**
 * The button of a picture that shows its name and size until the user loads it.
 *
 * Style hooks: `.chat-picture[data-asked]`.
 */
export default function AskedPicture({ picture, name, more, children }: AskedPictureProps) {
  const { t, language } = useTranslation()
  const { url } = picture
  const [waits, setWaits] = useState(!wanted.has(url))
  const ask = () => {
    wanted.add(url)
    setWaits(false)
  }
  const size = Number(picture.attachment.file_size)
  if (!waits) return children
  return cloneElement(
    children,
    { 'data-asked': true, 'aria-label': undefined, onClick: ask } as ComponentProps<'button'>,
    more === undefined ? <DownloadIcon /> : <bdi aria-hidden="true">{t('gallery.more', { count: more })}</bdi>,
    <span className="chat-hidden">{t('gallery.show', { name })}</span>,
    <span className="chat-picture-name" aria-hidden="true">
      <FileName name={name} />
    </span>,
    size > 0 && <bdi>{fileSize(language, size)}</bdi>,
  )
}
