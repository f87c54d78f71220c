import type { StoredType } from '../apps/app.ts'
import type { Change } from '../apps/change-app.ts'

type Grant = readonly [role: string, ids: readonly string[]]

/** Edits the role grants of the app and of every channel type, so that none names a deleted permission or role. */
export async function editGrants({ app, put, setSettings }: Change, edit: (grant: Grant) => readonly Grant[]) {
  const edited = (grants: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(grants).flatMap(edit))
  const { grants } = app.stored
  if (grants) await setSettings({ ...app.stored, grants: edited(grants) })
  for (const { name, stored } of app.types.values())
    if (stored.grants)
      await put('channel_type', name, { ...stored, grants: edited(stored.grants) } satisfies StoredType)
}
