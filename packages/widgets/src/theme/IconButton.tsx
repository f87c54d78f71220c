import type { ComponentProps } from 'react'

export interface IconButtonProps extends ComponentProps<'button'> {
  /** Its name, as a tooltip and for screen readers. */
  label: string
}

/** A button that shows an icon in place of its name. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  const names = className === undefined ? 'chat-icon-button' : `chat-icon-button ${className}`
  return <button type="button" className={names} aria-label={label} title={label} {...rest} />
}
