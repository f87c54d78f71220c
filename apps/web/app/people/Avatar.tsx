import { hueOf, initialsOf } from '@parley/widgets/avatar-look'
import { useState } from 'react'
import { fullName } from './person.ts'

const REM_PX = 16

/**
 * A person's picture, or their initials on the colour that they also have in chat. It has no accessible name: the name
 * is shown beside it.
 */
export function Avatar({ id, image, size = 40, ...names }: AvatarProps) {
  const [broken, setBroken] = useState<string>()
  const picture = image && image !== broken
  return (
    <span
      className="avatar"
      data-initials={picture ? undefined : initialsOf(fullName(names))}
      style={{ '--size': `${size / REM_PX}rem`, '--hue': hueOf(id) } as React.CSSProperties}
      aria-hidden="true"
    >
      {picture && (
        <img
          src={image}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(image)}
        />
      )}
    </span>
  )
}

export interface AvatarProps {
  id: string
  givenName: string
  familyName: string
  image: string | null
  /** Width and height in CSS pixels at the default text size; it scales with the text. */
  size?: number
}
