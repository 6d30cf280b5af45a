/** What a test says of an exploration. */
import type { Found } from './explore.ts';

/** Tests start from here; `npm run world -- --seed` from anywhere. */
export const SEED = 20_260_728;

/**
 * Where an exploration begins that begins elsewhere each time: over many runs it comes further than a long one that is the
 * same each time. `FC_SEED` goes the way of a run that found something.
 */
export const FRESH_SEED: number = Number(process.env['FC_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** `every law held`, or which did not, and in which story. */
export function told({ broken }: Found): string {
  return broken === undefined
    ? 'every law held'
    : `${broken.laws.join('; ')}\n${JSON.stringify(broken.story)}`;
}
