/** Names the tests that passed only when they were tried again: on a busy machine that happens, twice in a row it is a defect. */
import type { Reporter, TestCase } from 'vitest/node';

export class SecondTries implements Reporter {
  readonly #tests: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.#tests.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    if (this.#tests.length === 0) return;
    console.warn(['Passed only at a second try:', ...this.#tests].join('\n  '));
  }
}
