/**
 * Saves a file under its name. A link alone would open files that browsers can show, since the file is on another host.
 *
 * @throws Error — the download failed
 */
export async function download(url: string, name: string): Promise<void> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`)
  saveAs(await answer.blob(), name)
}

/** Saves data of the page as a file. */
export function saveAs(content: Blob, name: string) {
  const made = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = made
  link.download = name
  link.click()
  URL.revokeObjectURL(made)
}
