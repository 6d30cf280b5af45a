/** In which order the files of tests begin: what takes longest comes first, or everybody waits for it at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute and more, the longest first; what they are called says nothing of it. */
const LONGEST: readonly string[] = [
  'world/behind',
  'reference/shared/acceptance/hostile',
  'world/direct',
  'packages/cli/acceptance/',
  'test/packed/',
  'packages/gateway/fuzz/fuzz',
  'packages/gateway/test/keyed-calls',
  'bench/duplicates/',
  'packages/gateway/test/conformance',
  'packages/server/test/stdio',
  'packages/core/src/redact/slow',
  'world/',
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
