/**
 * Lets the service worker in, which shows an understandable page where there is no way to the server. Browsers offer
 * it only over https and on the machine itself; without it everything works while there is a connection.
 */
export function letServiceWorkerIn(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  const letIn = () => void navigator.serviceWorker.register('/service-worker.js').catch(console.error)
  // The page itself comes first. This script may be the last of it to arrive.
  if (document.readyState === 'complete') letIn()
  else addEventListener('load', letIn)
}
