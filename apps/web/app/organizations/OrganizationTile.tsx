import { Link } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { Icon } from '../ui/Icon.tsx'
import type { Organization, Role } from './organization-store.server.ts'

/** An item of a list of organizations, which links to its members. */
export function OrganizationTile({ id, displayName, about, role }: OrganizationTileProps) {
  const t = useTranslate()
  return (
    <li>
      <Link className="tile" to={`/organizations/${id}/members`}>
        <span className="tile-mark" aria-hidden="true">
          <Icon name="building" />
        </span>
        <span className="tile-text">
          <strong>{displayName}</strong>
          <span>{about}</span>
        </span>
        {role && (
          <span className="tag" data-role={role}>
            {t(`role.${role}`)}
          </span>
        )}
        <Icon name="right" />
      </Link>
    </li>
  )
}

interface OrganizationTileProps extends Pick<Organization, 'id' | 'displayName'> {
  /** Its second line. */
  about: string
  role?: Role
}
