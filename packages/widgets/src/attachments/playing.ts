let playing: HTMLMediaElement | undefined

/** What is heard now; whatever played before stops, wherever on the page it is. */
export function playsAlone(element: HTMLMediaElement) {
  if (playing !== element) playing?.pause()
  playing = element
}
