import { eventually } from './eventually.ts'
import type { Fixture } from './fixture.ts'

/** Waits until no task is left of what happened so far: webhooks, pushes, and what else a server does after its answer. */
export function everythingIsDelivered({ nodes }: Pick<Fixture, 'nodes'>): Promise<void> {
  const { read } = nodes[0]!.server.database
  const open = () => read.selectFrom('tasks').select('id').where('status', 'in', ['waiting', 'running']).execute()
  return eventually(async () => (await open()).length === 0, 'everything is delivered')
}
