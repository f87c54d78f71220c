/** Helpers to test applications of the client: a clock that the test advances. */
export { FakeClock } from './fake-clock.ts'
