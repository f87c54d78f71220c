import type { Attachment } from '@parley/client'
import { useTranslation } from '../i18n/translate.ts'
import { safeLink } from '../messages/safe-link.ts'
import { WarningIcon } from '../theme/icons.tsx'
import { DownloadIcon, FileIcon } from '../theme/more-icons.tsx'
import { FileName } from './FileName.tsx'
import { fileSize, plainName } from './file-words.ts'

/** Extensions of files that a device may run when they are opened. */
const EXECUTABLE = /\.(apk|app|bat|cmd|com|deb|dmg|exe|iso|jar|lnk|msi|pkg|ps1|reg|rpm|scr|sh|vbs)$/i
/** The longest extension that is shown in the icon. */
const EXTENSION_CHARS = 4

/** A file as one link that saves it: type, name, size. An executable file has a warning. */
export default function FileCard({ attachment, tabIndex }: { attachment: Attachment; tabIndex: number }) {
  const { t, language } = useTranslation()
  const link = safeLink(attachment.asset_url ?? attachment.image_url ?? attachment.title_link ?? '')
  const name = plainName(attachment.title || attachment.fallback || t('message.attachment'))
  const size = Number(attachment.file_size)
  const words = (
    <>
      <span className="chat-file-icon">
        <FileIcon />
        <span aria-hidden="true">{extensionOf(name)}</span>
      </span>
      <span className="chat-file-words">
        <FileName name={name} />
        {size > 0 && <span className="chat-file-size">{fileSize(language, size)}</span>}
        {EXECUTABLE.test(name) && (
          <span className="chat-file-warning">
            <WarningIcon />
            <span>{t('file.executable')}</span>
          </span>
        )}
      </span>
      {link && <DownloadIcon />}
    </>
  )
  if (!link) return <span className="chat-file">{words}</span>
  return (
    <a
      className="chat-file"
      href={link.href}
      download={name}
      target="_blank"
      rel="noopener noreferrer"
      tabIndex={tabIndex}
    >
      {words}
    </a>
  )
}

function extensionOf(name: string): string | undefined {
  const [, extension] = /\.(\p{L}[\p{L}\d]*)$/u.exec(name) ?? []
  return extension && extension.length <= EXTENSION_CHARS ? extension.toUpperCase() : undefined
}
