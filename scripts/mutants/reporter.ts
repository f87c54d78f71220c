/** A reporter for mutation testing: appends the result of each test as a line to a file. */
import { appendFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node'

/** One line of JSON. */
export type TestResult =
  | { state: 'passed' | 'failed'; file: string; title: string; why?: string }
  /** A file that cannot be loaded, a failed hook, an uncaught error: then without a file. */
  | { state: 'broken'; file?: string; why?: string }

const file = process.env.MUTANTS_RESULTS!

export default class MutantReporter implements Reporter {
  onTestCaseResult(test: TestCase) {
    const { state, errors } = test.result()
    if (state === 'passed' || state === 'failed')
      tell({ state, file: test.module.moduleId, title: test.fullName, why: errors?.[0]?.message })
  }

  onTestSuiteResult(suite: TestSuite) {
    const [error] = suite.errors()
    if (error) tell({ state: 'broken', file: suite.module.moduleId, why: error.message })
  }

  onTestModuleEnd(module: TestModule) {
    const [error] = module.errors()
    if (error) tell({ state: 'broken', file: module.moduleId, why: error.message })
  }

  onTestRunEnd(_: readonly TestModule[], errors: readonly SerializedError[]) {
    for (const { message } of errors) tell({ state: 'broken', why: message })
  }
}

function tell(result: TestResult) {
  appendFileSync(file, `${JSON.stringify(result)}\n`)
}
