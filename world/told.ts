/** What a test says of an exploration. */
import type { Found } from './explore.ts';

/** Tests start from here; `npm run world -- --seed` from anywhere. */
export const SEED = 20_260_728;

/** `every law held`, or which did not, and in which story. */
export function told({ broken }: Found): string {
  return broken === undefined
    ? 'every law held'
    : `${broken.laws.join('; ')}\n${JSON.stringify(broken.story)}`;
}
