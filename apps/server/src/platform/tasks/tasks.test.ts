import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { Server } from '../../server.ts'
import { eventually } from '../../testing/eventually.ts'
import { type Fixture, onEveryStorage } from '../../testing/fixture.ts'
import type { AppServer } from '../../testing/test-user.ts'
import { ChatError } from '../chat-error.ts'
import { type TaskKind, Tasks } from './tasks.ts'

const CLAIM_MS = 61_000
const RETRY_MS = 30_000

/** Says `input.pages` times hello, one page each, and whatever a story has it do before a page. */
function hellos(said: number[], before: (page: number) => void = () => {}): TaskKind<{ pages: number }, number> {
  return {
    name: 'hellos',
    async run({ commit }, task) {
      for (let page = task.progress ?? 0; page < task.input.pages; page++) {
        before(page)
        await commit.write(task.app, [], (batch) => task.save(batch, page + 1))
        said.push(page)
      }
      return { said: task.input.pages }
    },
  }
}

function runner(server: Server, kind: TaskKind<never, never>) {
  const failures: unknown[] = []
  const tasks = new Tasks(
    () => server,
    [kind as TaskKind],
    (error) => failures.push(error),
  )
  return { tasks, failures }
}

const begin = ({ commit }: Server, appServer: AppServer, tasks: Tasks, pages: number) =>
  commit.write(appServer.app.id, [], (batch) => tasks.begin(batch, appServer.app.id, 'hellos', { pages }))

const statusOf = async (appServer: AppServer, id: string) => (await appServer.does('GET', `/tasks/${id}`)).status

/** Nobody has it any more; only then may time go on, or it would be taken from under somebody's hands. */
const isNobodys = (server: Server, id: string) =>
  eventually(async () => {
    const row = await server.database.read.selectFrom('tasks').select('claim').where('id', '=', id).executeTakeFirst()
    return row?.claim === null
  }, 'it is nobody’s')

async function fixtureWith(fixture: Fixture) {
  const { appServer, ada } = await fixture.createApp('ada')
  return { appServer, ada, server: fixture.nodes[0]!.server }
}

onEveryStorage((fixture) => {
  it('[IMP-1] [IMP-7] a task waits, runs in pages, and keeps its result', async () => {
    const { appServer, ada, server } = await fixtureWith(fixture)
    const said: number[] = []
    const { tasks } = runner(server, hellos(said) as never)
    const id = await begin(server, appServer, tasks, 3)
    const waiting = await appServer.does('GET', `/tasks/${id}`)
    assert.deepEqual([waiting.task_id, waiting.status, waiting.result], [id, 'waiting', undefined])

    tasks.look()

    await eventually(async () => (await statusOf(appServer, id)) === 'completed', 'the task is done')
    assert.deepEqual(said, [0, 1, 2])
    assert.deepEqual((await appServer.does('GET', `/tasks/${id}`)).result, { said: 3 })
    await ada.isRefused(17, 'GET', `/tasks/${id}`)
    await appServer.isRefused(16, 'GET', '/tasks/nowhere')
    const { appServer: other } = await fixture.createApp()
    await other.isRefused(16, 'GET', `/tasks/${id}`)
  })

  it('[IMP-7] what a fault interrupts goes on where it stopped, and ends when it never works', async () => {
    const { appServer, server } = await fixtureWith(fixture)
    const said: number[] = []
    let faults = 2
    const kind = hellos(said, (page) => {
      if (page === 1 && faults-- > 0) throw new Error('the disk is tired')
    })
    const { tasks, failures } = runner(server, kind as never)
    const id = await begin(server, appServer, tasks, 3)
    tasks.look()
    for (const tries of [1, 2]) {
      await eventually(() => failures.length === tries, 'it failed')
      await isNobodys(server, id)
      fixture.clock.advance(RETRY_MS)
      tasks.look()
    }
    await eventually(async () => (await statusOf(appServer, id)) === 'completed', 'it worked at last')
    assert.deepEqual([said, failures.length], [[0, 1, 2], 2])

    const hopeless = runner(server, hellos([], () => assert.fail('never')) as never)
    const second = await begin(server, appServer, hopeless.tasks, 1)
    hopeless.tasks.look()
    for (const tries of [1, 2]) {
      await eventually(() => hopeless.failures.length === tries, 'it failed')
      await isNobodys(server, second)
      fixture.clock.advance(RETRY_MS)
      hopeless.tasks.look()
    }
    await eventually(async () => (await statusOf(appServer, second)) === 'failed', 'it gave up')
    assert.equal(hopeless.failures.length, 3)
    const { error } = await appServer.does('GET', `/tasks/${second}`)
    assert.deepEqual(error, { type: 'InternalSystemError', description: 'the task failed' })
  })

  it('a page that worked makes good for tries that did not', async () => {
    const { appServer, server } = await fixtureWith(fixture)
    const said: number[] = []
    // Twice before each page: more often than a task is tried that gets no further.
    const faults = new Map<number, number>()
    const kind = hellos(said, (page) => {
      const before = faults.get(page) ?? 0
      faults.set(page, before + 1)
      if (before < 2) throw new Error('the disk is tired')
    })
    const { tasks, failures } = runner(server, kind as never)
    const id = await begin(server, appServer, tasks, 3)
    for (let tries = 1; tries <= 6; tries++) {
      tasks.look()
      await eventually(() => failures.length === tries, 'it failed')
      await isNobodys(server, id)
      assert.equal(await statusOf(appServer, id), 'running')
      fixture.clock.advance(RETRY_MS)
    }
    tasks.look()
    await eventually(async () => (await statusOf(appServer, id)) === 'completed', 'it worked at last')
    assert.deepEqual(said, [0, 1, 2])
  })

  it('a task that takes its server with it, again and again, is given up', async () => {
    const { appServer, server } = await fixtureWith(fixture)
    const begun: string[] = []
    const deadly: TaskKind<object, never> = {
      name: 'hellos',
      run: () => {
        begun.push('begun')
        return new Promise(() => {})
      },
    }
    const id = await begin(server, appServer, runner(server, deadly as never).tasks, 1)
    for (const deaths of [1, 2, 3]) {
      runner(server, deadly as never).tasks.look()
      await eventually(() => begun.length === deaths, 'it is under way')
      fixture.clock.advance(CLAIM_MS)
    }
    runner(server, deadly as never).tasks.look()
    await eventually(async () => (await statusOf(appServer, id)) === 'failed', 'nobody tries it again')
    assert.equal(begun.length, 3)
  })

  it('long tasks of one kind leave places to others', async () => {
    const { appServer, server } = await fixtureWith(fixture)
    const said: number[] = []
    const long: TaskKind<object, never> = { name: 'long', run: () => new Promise(() => {}) }
    const tasks = new Tasks(
      () => server,
      [long as unknown as TaskKind, hellos(said) as unknown as TaskKind],
      (error) => assert.fail(String(error)),
    )
    const begins = (kind: string) =>
      server.commit.write(appServer.app.id, [], (batch) => tasks.begin(batch, appServer.app.id, kind, { pages: 1 }))
    for (let i = 0; i < 20; i++) await begins('long')
    const short = await begins('hellos')
    tasks.look()
    await eventually(async () => (await statusOf(appServer, short)) === 'completed', 'the short one had its turn')
  })

  it('what the rules forbid fails at once and says why', async () => {
    const { appServer, server } = await fixtureWith(fixture)
    const refuse = () => {
      throw new ChatError('InputError', 'there is nobody to greet')
    }
    const { tasks, failures } = runner(server, hellos([], refuse) as never)
    const id = await begin(server, appServer, tasks, 1)
    tasks.look()
    await eventually(async () => (await statusOf(appServer, id)) === 'failed', 'it is refused')
    const { error } = await appServer.does('GET', `/tasks/${id}`)
    assert.deepEqual([error, failures], [{ type: 'InputError', description: 'there is nobody to greet' }, []])
  })

  it('two runners never do a page twice, and a dead one is relieved', async () => {
    const { appServer, server } = await fixtureWith(fixture)
    const said: number[] = []
    const [one, two] = [runner(server, hellos(said) as never), runner(server, hellos(said) as never)]
    const ids = await Promise.all(Array.from({ length: 6 }, () => begin(server, appServer, one.tasks, 4)))
    one.tasks.look()
    two.tasks.look()
    const areDone = async () =>
      (await Promise.all(ids.map((id) => statusOf(appServer, id)))).every((status) => status === 'completed')
    await eventually(areDone, 'all are done')
    assert.equal(said.length, 24)

    let hang: (() => void) | undefined
    const stuck: TaskKind<{ pages: number }, number> = {
      name: 'hellos',
      async run({ commit }, task) {
        await new Promise<void>((resolve) => {
          hang = resolve
        })
        await commit.write(task.app, [], (batch) => task.save(batch, 99))
        return {}
      },
    }
    const dead = runner(server, stuck as never)
    const id = await begin(server, appServer, dead.tasks, 2)
    dead.tasks.look()
    await eventually(() => hang !== undefined, 'it hangs')
    fixture.clock.advance(CLAIM_MS)
    two.tasks.look()
    await eventually(async () => (await statusOf(appServer, id)) === 'completed', 'another went on')
    hang!()
    await dead.tasks.close()
    assert.deepEqual((await appServer.does('GET', `/tasks/${id}`)).result, { said: 2 })
  })

  it('what a node worked on that is gone goes on at once', async () => {
    const { appServer, server } = await fixtureWith(fixture)
    const said: number[] = []
    const hung: string[] = []
    const on = (node: string, kind: TaskKind<never, never>) =>
      new Tasks(
        () => server,
        [kind as TaskKind],
        (error) => assert.fail(String(error)),
        node,
      )
    const stuck = (node: string): TaskKind<never, never> => ({
      name: 'hellos',
      run: () => {
        hung.push(node)
        return new Promise(() => {})
      },
    })
    const [gone, slow] = [on('gone', stuck('gone')), on('slow', stuck('slow'))]
    const first = await begin(server, appServer, gone, 2)
    gone.look()
    await eventually(() => hung.includes('gone'), 'it is under way')
    const second = await begin(server, appServer, slow, 2)
    slow.look()
    await eventually(() => hung.includes('slow'), 'so is another one')

    await on('here', hellos(said) as never).relieve('gone')
    await eventually(async () => (await statusOf(appServer, first)) === 'completed', 'somebody else went on')
    assert.equal(await statusOf(appServer, second), 'running', 'whoever is there still is left alone')

    await on('alone', hellos(said) as never).relieve()
    await eventually(async () => (await statusOf(appServer, second)) === 'completed', 'who is alone takes up all')
  })

  it('a server that ends leaves the task to the next one', async () => {
    const { appServer, server } = await fixtureWith(fixture)
    const said: number[] = []
    const closing: { done?: Promise<void> } = {}
    const first = runner(
      server,
      hellos(said, (page) => {
        if (page === 2) closing.done = first.tasks.close()
      }) as never,
    )
    const id = await begin(server, appServer, first.tasks, 4)
    first.tasks.look()
    await eventually(() => closing.done !== undefined, 'it is in the middle')
    await closing.done
    assert.deepEqual([said, await statusOf(appServer, id)], [[0, 1], 'running'])

    const next = runner(server, hellos(said) as never)
    next.tasks.look()
    await eventually(async () => (await statusOf(appServer, id)) === 'completed', 'the next one did the rest')
    assert.deepEqual(said, [0, 1, 2, 3])
  })
})
