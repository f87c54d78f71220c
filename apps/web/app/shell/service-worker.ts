/**
 * Registers the service worker, which shows the offline page while the server is unreachable. Browsers offer it only
 * over https and on localhost; without it everything works while there is a connection.
 */
export function letServiceWorkerIn(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  const letIn = () => void navigator.serviceWorker.register('/service-worker.js').catch(console.error)
  // The page itself comes first: this script may be the last of its resources to load.
  if (document.readyState === 'complete') letIn()
  else addEventListener('load', letIn)
}
