/**
 * Writes down which files were red, for whoever runs them once more where nothing else runs (`scripts/test.ts`). What a
 * property test has found is found, and what the world has found too: with one of those there is nothing to run again.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Names the file to write to. */
export const RED_FILES = 'MAYDAY_RED_FILES';

const FOUND = /^Property failed/;

const isFinding = (test: TestCase): boolean =>
  test.project.name === 'world' || (test.result().errors ?? []).some(({ message }) => FOUND.test(message));

export class RedFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const path = process.env[RED_FILES];
    if (path === undefined) return;
    const red = modules.filter((module) => module.state() === 'failed');
    const findings = red.flatMap((module) => [...module.children.allTests('failed')]).filter(isFinding);
    const again = findings.length === 0 && unhandled.length === 0 ? red : [];
    writeFileSync(path, JSON.stringify(again.map(({ relativeModuleId }) => relativeModuleId)));
  }
}
