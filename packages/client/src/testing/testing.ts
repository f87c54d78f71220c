/** What a test of something built on the client wants: time in its own hands. */
export { FakeClock } from './fake-clock.ts'
