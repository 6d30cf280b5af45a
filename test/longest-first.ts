/** In which order the files of tests begin: what takes longest comes first, or everybody waits for it at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute and more, the longest first; what they are called says nothing of it. */
const LONGEST: readonly string[] = [
  'world/direct',
  'test/packed/packed',
  'reference/shared/acceptance/hostile',
  'packages/gateway/src/joined/starting',
  'world/',
  'packages/gateway/test/policy/keyed-calls',
  'packages/gateway/test/conformance',
  'packages/gateway/acceptance/policy/shared',
  'packages/cli/acceptance/',
  'packages/gateway/src/joined/first-lists',
  'packages/gateway/test/policy/issued-keys',
  'packages/gateway/src/joined/stalled',
  'packages/server/test/stdio',
  'packages/gateway/acceptance/policy/concurrency',
  'packages/gateway/acceptance/answers',
  'bench/duplicates/',
  'packages/store/test/conformance',
  'packages/gateway/acceptance/workers',
];

/** The order of vitest, after those. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const places = new Map(sorted.map((file) => [file, placeOf(file.moduleId)]));
    return sorted.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  }
}

function placeOf(path: string): number {
  const place = LONGEST.findIndex((part) => path.includes(`/${part}`));
  return place < 0 ? LONGEST.length : place;
}
