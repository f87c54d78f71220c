import { type ReactNode, useRef } from 'react'

/** A button for picking a picture from the device; the same file can be picked again. */
export function PictureButton({ children, busy, onPick }: PictureButtonProps) {
  const choice = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        className="button"
        data-size="small"
        aria-disabled={busy || undefined}
        onClick={() => !busy && choice.current?.click()}
      >
        {children}
      </button>
      <input
        type="file"
        ref={choice}
        hidden
        accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
        onChange={({ target }) => {
          const [picture] = target.files ?? []
          if (picture) onPick(picture)
          target.value = ''
        }}
      />
    </>
  )
}

interface PictureButtonProps {
  children: ReactNode
  busy?: boolean
  onPick: (picture: File) => void
}
