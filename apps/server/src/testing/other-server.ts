import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

/** An external server, running as long as the tests of its file. */
export class OtherServer {
  #server
  constructor(answer: RequestListener) {
    this.#server = createServer(answer)
    beforeAll(() => new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve)))
    afterAll(async () => {
      this.#server.closeAllConnections()
      await new Promise((resolve) => this.#server.close(resolve))
    })
  }

  get url() {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
}
