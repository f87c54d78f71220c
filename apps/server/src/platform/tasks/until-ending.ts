/** Waits for the work of a task, and no longer when the task is to end, as its server does. */
export function untilEnding(work: Promise<unknown>, ending: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => resolve()
    if (ending.aborted) end()
    // The signal lives as long as the server, and what listens to it must not.
    ending.addEventListener('abort', end, { once: true })
    work.then(end, reject).finally(() => ending.removeEventListener('abort', end))
  })
}
