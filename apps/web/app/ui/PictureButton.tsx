import { type ReactNode, useRef } from 'react'

/** A button by which one picks a picture of one's device; the same one can be picked again. */
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
