/** Which mutants are tried: the same for the same seed, whatever happened to other files in between. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Area, sourcesOf } from './areas.ts';
import { isEquivalent } from './equivalent.ts';
import { type Mutant, mutantsOf } from './mutate.ts';

/** The mutants of an area, and those of them that are tried. */
export interface Sample {
  readonly area: Area;
  readonly all: number;
  readonly tried: readonly Mutant[];
}

/** Takes some mutants of an area; only those in files whose path begins with `only`. */
export function sampleOf(
  area: Area,
  options: { readonly seed: number; readonly size: number; readonly only: string },
): Sample {
  const all = sourcesOf(area)
    .filter((file) => file.startsWith(options.only))
    .flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')))
    .filter((mutant) => !isEquivalent(mutant));
  return { area, all: all.length, tried: choose(all, options.seed, options.size) };
}

/** Some of the mutants by the hash of what they are, in their order. */
export function choose(all: readonly Mutant[], seed: number, size: number): Mutant[] {
  const rank = new Map(
    all.map((one) => [
      one,
      hash(`${seed} ${one.file} ${one.code} ${one.what}`) + String(one.start).padStart(9, '0'),
    ]),
  );
  const chosen = new Set(
    [...all].sort((a, b) => ((rank.get(a) ?? '') < (rank.get(b) ?? '') ? -1 : 1)).slice(0, size),
  );
  return all.filter((one) => chosen.has(one));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
