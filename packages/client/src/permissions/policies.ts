/** The predecessor of grants; kept in channel types, but no longer evaluated [administration.md 3.7]. */
export interface Policy {
  readonly name: string
  /** The matching policy with the highest priority decides. */
  readonly priority: number
  readonly action: 'Allow' | 'Deny'
  readonly resources: readonly string[]
  readonly roles: readonly string[]
  readonly owner: boolean
}

const everything = { resources: ['*'], roles: ['*'], owner: false } as const

/** The default policy before all others [PERM-16]. */
export const AllowAll: Policy = { name: 'Allow all', priority: 999, action: 'Allow', ...everything }
/** The default policy after all others [PERM-17]. */
export const DenyAll: Policy = { name: 'Deny all', priority: 1, action: 'Deny', ...everything }
