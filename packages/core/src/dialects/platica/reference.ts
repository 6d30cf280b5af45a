/** What Platica's bridge does with an answer of its REST interface. */
import type { Fault } from '../../fault.ts';
import { makeFault } from '../../fault.ts';
import { look } from '../../wire/look.ts';
import type { ReadContext } from '../dialect.ts';
import { read } from './read.ts';

const NO_PROSE: ReadContext = { now: () => 0, prose: () => undefined };

/** The fault behind a REST answer, with its body kept to the letter; `undefined` for a 2xx, which is a success. */
export function restError(status: number, body: string): Fault | undefined {
  if (status >= 200 && status < 300) return undefined;
  const heard = read(look({ http: { status, body } }), NO_PROSE) ?? { kind: 'upstream_failed' as const };
  return makeFault({ ...heard, native: { dialect: 'platica', raw: body } });
}
