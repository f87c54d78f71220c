import { useState } from 'react'
import { type RootProps, rootProps } from '../root-props.ts'
import { PersonIcon } from '../theme/icons.tsx'
import { hueOf, initialsOf } from './avatar-look.ts'

export interface AvatarProps extends Omit<RootProps<HTMLSpanElement>, 'id'> {
  /** decides the colour of the initials; empty for a deleted user, who has neither */
  id: string
  name: string
  image?: string
  /** a second avatar behind the first, for groups */
  behind?: { id: string; name: string; image?: string }
  /** presence dot: filled, hollow, or none at all */
  presence?: 'online' | 'offline'
  size?: 'tiny' | 'small' | 'medium' | 'large'
}

const nobody = { background: 'var(--chat-divider)', color: 'var(--chat-text-muted)' }

/**
 * An image, or initials on a colour of the id. Always beside a name, so it is hidden from assistive technology; the box
 * has its final size before the image loads.
 *
 * Style hooks: `[data-size]`, `[data-stacked]`, `[data-presence]` · `--chat-avatar-size`.
 */
export function Avatar({ id, name, image, behind, presence, size = 'medium', ...root }: AvatarProps) {
  const look = { 'data-size': size, 'data-stacked': behind ? true : undefined }
  return (
    <span {...rootProps({ className: 'chat-avatar', ...look, 'aria-hidden': true }, root)}>
      {behind && <Face {...behind} />}
      <Face id={id} name={name} image={image} />
      {presence && <span className="chat-avatar-dot" data-presence={presence} />}
    </span>
  )
}

function Face({ id, name, image }: { id: string; name: string; image?: string }) {
  const [broken, setBroken] = useState<string>()
  return (
    <span
      className="chat-avatar-face"
      style={id ? ({ '--chat-avatar-hue': hueOf(id) } as React.CSSProperties) : nobody}
    >
      {image && image !== broken ? (
        <img src={image} alt="" loading="lazy" decoding="async" onError={() => setBroken(image)} />
      ) : id ? (
        initialsOf(name)
      ) : (
        <PersonIcon />
      )}
    </span>
  )
}
