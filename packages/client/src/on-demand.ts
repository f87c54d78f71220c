/** A lazily loaded module. Once it is loaded, calls run in the same turn. */
export class OnDemand<Module> {
  #load: () => Promise<Module>
  #module: Module | undefined
  constructor(load: () => Promise<Module>) {
    this.#load = load
  }

  get module(): Module | undefined {
    return this.#module
  }

  fetch(): Promise<void> {
    return this.use(() => {})
  }

  async use<Result>(use: (module: Module) => Result): Promise<Awaited<Result>> {
    this.#module ??= await this.#load()
    return await use(this.#module)
  }
}

/** Loaded while a page connects. */
export const soon = new OnDemand(() => import('./lazy-chunk-soon.ts'))
/** Loaded when a composer, or its draft, is shown, and with the first reaction. */
export const toWrite = new OnDemand(() => import('./lazy-chunk-composer.ts'))
/** Loaded with the first of these calls. */
export const calls = new OnDemand(() => import('./lazy-chunk-rare.ts'))
