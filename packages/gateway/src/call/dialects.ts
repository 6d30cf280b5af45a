/** Which dialect a caller is answered in. */
import type { DialectId } from '@mayday/core';
import { DIALECTS } from '@mayday/core/dialects';
import type { WireCall } from '@mayday/relay';
import { nearest } from '../nearest.ts';

/** The header that asks for a dialect. */
export const DIALECT_HEADER = 'mayday-dialect';

const IDS: readonly string[] = ['mcp', ...DIALECTS.map((dialect) => dialect.id)];

/** All names that a configuration or a header may use. */
export const DIALECT_IDS: readonly string[] = [...new Set(IDS)];

/** Is it the name of a dialect? */
export function isDialectId(name: string): name is DialectId {
  return DIALECT_IDS.includes(name);
}

/** What is wrong with a name, as a sentence. */
export function unknownDialect(name: string): string {
  const close = nearest(name, DIALECT_IDS);
  const hint = close === undefined ? `known are ${DIALECT_IDS.join(', ')}` : `did you mean ${close}?`;
  return `There is no dialect called ${JSON.stringify(name.slice(0, 40))}; ${hint}`;
}

/** Which dialect an upstream's callers are answered in when they ask for none. */
export type DialectChoice = (upstream: string) => DialectId;

/** The dialect of the header, else of the caller's key, else of the upstream. */
export function dialectFor(call: WireCall, upstream: string, choice: DialectChoice): DialectId {
  const asked = call.headers[DIALECT_HEADER];
  if (typeof asked === 'string' && isDialectId(asked)) return asked;
  const own = call.by.dialect;
  return own !== undefined && isDialectId(own) ? own : choice(upstream);
}
