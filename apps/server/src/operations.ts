import type { Feature } from './feature.ts'
import { features } from './features.ts'

export type Operations = ReturnType<typeof gathered>

/** What is answered, goes on after an answer, and happens at a set time. */
export function operationsOf(parts: readonly Feature[]): Operations {
  const known = made.get(parts) ?? gathered(parts)
  made.set(parts, known)
  return known
}

/** Servers with the same parts share their description. */
const made = new WeakMap<readonly Feature[], Operations>()

function gathered(parts: readonly Feature[]) {
  return {
    endpoints: parts.flatMap(({ endpoints = [] }) => endpoints),
    routes: parts.flatMap(({ routes }) => routes ?? []),
    taskKinds: parts.flatMap(({ tasks = [] }) => tasks),
    scheduledJobKinds: parts.flatMap(({ scheduledJobs = [] }) => scheduledJobs),
  }
}

export const { endpoints, taskKinds, scheduledJobKinds } = operationsOf(features)
