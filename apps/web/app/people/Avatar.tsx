import { useState } from 'react'
import { initials } from './graphemes.ts'

/** The grounds of initials. Each carries white text with a contrast of at least 4.5 to 1. */
const GROUNDS = 8

/**
 * A person's picture, or their initials on a colour that stays the same for the person.
 * It says nothing by itself: the name stands beside it.
 */
export function Avatar({ id, givenName, familyName, image, size = 40 }: AvatarProps) {
  const [broken, setBroken] = useState<string>()
  const picture = image && image !== broken
  return (
    <span
      className="avatar"
      data-ground={groundOf(id)}
      data-initials={picture ? undefined : initials({ givenName, familyName })}
      style={{ '--size': `${size}px` } as React.CSSProperties}
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
  /** Width and height in CSS pixels. */
  size?: number
}

function groundOf(id: string): number {
  let sum = 0
  for (const character of id) sum = (sum * 31 + character.codePointAt(0)!) % 9_973
  return sum % GROUNDS
}
