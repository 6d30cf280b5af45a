/**
 * Runs all tests, or those whose path holds one of the given words. A file that is red beside all the others is run once
 * more, alone: what a busy machine has made late is not late then, and what is broken is broken again.
 */
import { startVitest, type TestModule } from 'vitest/node';

/** So many files are not red by chance. */
const MANY = 6;

/** What a generated example has shown is shown: another run may only miss it. */
function isFound(module: TestModule): boolean {
  const errors = [...module.children.allTests('failed')].flatMap((test) => test.result().errors ?? []);
  return (
    module.project.name === 'world' || errors.some(({ message }) => message.startsWith('Property failed'))
  );
}

async function run(filters: readonly string[], options = {}): Promise<readonly TestModule[] | undefined> {
  const { state } = await startVitest([...filters], { watch: false, ...options });
  const isWhole = state.getUnhandledErrors().length === 0;
  return isWhole ? state.getTestModules().filter((module) => !module.ok()) : undefined;
}

const red = await run(process.argv.slice(2));
if (red !== undefined && red.length > 0 && red.length <= MANY && !red.some(isFound)) {
  const paths = red.map(({ relativeModuleId }) => relativeModuleId);
  console.warn(['Red beside all the others; once more, alone:', ...paths].join('\n  '));
  process.exitCode = 0;
  await run(paths, { maxWorkers: 1 });
}
process.exit();
