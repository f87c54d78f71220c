import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    demoFolder: string
  }
}

/**
 * Where workers keep the demo data they created; Vitest calls this before the first test, and its cleanup after the
 * last.
 */
export default async function demoFolder({ provide }: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-demo-'))
  provide('demoFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
}
