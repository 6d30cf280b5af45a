/** In which order the files of tests begin: what takes longest comes first, or everybody waits for it at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute and more, the longest first; what they are called says nothing of it. */
const LONGEST: readonly string[] = [
  'packages/gateway/test/keyed-calls',
  'reference/shared/acceptance/hostile',
  'packages/gateway/src/joined/starting',
  'world/behind',
  'packages/gateway/test/conformance',
  'packages/cli/acceptance/',
  'world/',
  'packages/gateway/acceptance/policy/shared',
  'packages/gateway/test/oauth',
  'packages/cli/test/import',
  'packages/gateway/src/joined/stalled',
  'packages/server/test/stdio',
  'packages/gateway/test/issued-keys',
  'packages/gateway/acceptance/policy/concurrency',
  'packages/gateway/fuzz/fuzz',
  'test/packed/',
  'bench/duplicates/',
  'packages/core/src/redact/slow',
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
