import type { App } from './app.ts'

/**
 * Compiles a part of an app's settings and rules when it is first asked for, once for each `App`: that is replaced as a
 * whole when anything of it changes.
 */
export function perApp<Part>(compile: (app: App) => Part): (app: App) => Part {
  const compiled = new WeakMap<App, Part>()
  return (app) => {
    const known = compiled.get(app)
    if (known !== undefined) return known
    const part = compile(app)
    compiled.set(app, part)
    return part
  }
}
