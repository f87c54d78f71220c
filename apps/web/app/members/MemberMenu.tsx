import { useState } from 'react'
import type { FetcherSubmitFunction } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { fullName } from '../people/person.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { TrashIcon } from '../ui/later-icons.tsx'
import type { Member } from './member-store.server.ts'

/** The role of a member, which an owner or an admin chooses [APP-29]. */
export function MemberRole({ member, isOwner, submit }: MemberRoleProps) {
  const t = useTranslate()
  const name = fullName(member.user.identity)
  return (
    <select
      className="small-select"
      aria-label={t('members.roleOf', { name })}
      value={member.role}
      onChange={(event) => submit({ userId: member.user.id, do: 'role', role: event.target.value }, { method: 'post' })}
    >
      {isOwner && <option value="owner">{t('role.owner')}</option>}
      <option value="admin">{t('role.admin')}</option>
      <option value="member">{t('role.member')}</option>
    </select>
  )
}

/** An owner's or admin's other actions on a member [APP-29]. */
export function MemberMenu({ member, submit, remove }: MemberMenuProps) {
  const t = useTranslate()
  const [removing, setRemoving] = useState(false)
  const name = fullName(member.user.identity)
  const allow = (chatAccess: boolean) =>
    submit({ userId: member.user.id, do: 'chatAccess', chatAccess: String(chatAccess) }, { method: 'post' })
  return (
    <>
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          aria-label={t('members.chatOf', { name })}
          checked={member.chatAccess}
          aria-checked={member.chatAccess}
          onChange={(event) => allow(event.target.checked)}
        />
        <span aria-hidden="true">{t('members.chat')}</span>
      </label>
      <button
        type="button"
        className="icon-button"
        aria-label={t('members.removeName', { name })}
        onClick={() => setRemoving(true)}
      >
        <TrashIcon />
      </button>
      <ConfirmDialog
        title={t('members.remove.title', { name })}
        body={t('members.remove.body', { name, organization: member.organization.displayName })}
        action={t('members.remove')}
        open={removing}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove({ do: 'remove', userId: member.user.id }, { method: 'post' })}
      />
    </>
  )
}

interface MemberRoleProps {
  member: Member
  /** Whether the viewer owns the organization. */
  isOwner: boolean
  submit: FetcherSubmitFunction
}

interface MemberMenuProps extends Omit<MemberRoleProps, 'isOwner'> {
  /** Submits the change that removes the row. */
  remove: FetcherSubmitFunction
}
