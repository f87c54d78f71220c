import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Server } from '../../server.ts'

/** What `/metrics` shows, in the Prometheus text format. */
export class Metrics {
  #registry = new Registry()
  #seconds = new Histogram({
    name: 'parley_call_seconds',
    help: 'How long calls took, by operation and outcome.',
    labelNames: ['operation', 'ok'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 3],
    registers: [this.#registry],
  })

  /** Gives what counts the calls of one operation. */
  calls(operation: string): (ms: number, ok: boolean) => void {
    const done = this.#seconds.labels({ operation, ok: 'true' })
    const failed = this.#seconds.labels({ operation, ok: 'false' })
    return (ms, ok) => (ok ? done : failed).observe(ms / 1000)
  }

  watch({ hub }: Server, dropped: () => number) {
    const registers = [this.#registry]
    new Gauge({
      name: 'parley_connections',
      help: 'Open sockets.',
      registers,
      collect() {
        this.set(hub.connections.size)
      },
    })
    let seen = 0
    new Counter({
      name: 'parley_deliveries_total',
      help: 'Events handed to sockets.',
      registers,
      collect() {
        this.inc(hub.deliveries - seen)
        seen = hub.deliveries
      },
    })
    new Gauge({
      name: 'parley_slow_readers_dropped',
      help: 'Sockets closed because their reader was too slow.',
      registers,
      collect() {
        this.set(dropped())
      },
    })
    new Gauge({
      name: 'parley_memory_bytes',
      help: 'Resident memory of the process.',
      registers,
      collect() {
        this.set(process.memoryUsage.rss())
      },
    })
  }

  /** @param shed  calls refused so far since the server had too much to do */
  countShed(shed: () => number) {
    let seen = 0
    new Counter({
      name: 'parley_calls_shed_total',
      help: 'Calls refused since the server had too much to do.',
      registers: [this.#registry],
      collect() {
        this.inc(shed() - seen)
        seen = shed()
      },
    })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }
}
