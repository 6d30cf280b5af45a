/** The honest answer when nothing tells what went wrong. */
import type { Dialect, Evidence, Foreign, Heard } from './dialects/dialect.ts';
import type { ErrorObject, Wire } from './wire/wire.ts';

/** `unknown`, with every meaning that some dialect, or HTTP, gives the code as evidence; none of them is chosen. */
export function unknown(wire: Wire, dialects: readonly Dialect[], foreign: Foreign | undefined): Heard {
  const status = foreign?.candidate(wire);
  const named = candidates(wire.error, dialects);
  const evidence = status === undefined ? named : [...named, status];
  const none: Evidence = { by: 'none', says: 'nothing in it tells what went wrong' };
  return {
    kind: 'unknown',
    message: wire.text,
    certainty: 0,
    evidence: evidence.length > 0 ? evidence : [none],
  };
}

function candidates(error: ErrorObject | undefined, dialects: readonly Dialect[]): readonly Evidence[] {
  if (error?.code === undefined) return [];
  const { code, message } = error;
  const evidence: Evidence[] = [];
  if (message === '') evidence.push({ by: 'shape', says: 'an error without a message is malformed' });
  for (const { id, codes } of dialects) {
    const row = codes.find((candidate) => candidate.code === code);
    if (row !== undefined) {
      evidence.push({
        by: 'candidate',
        says: `${code} means “${row.title}” in ${id}`,
        dialect: id,
        kind: row.kind,
      });
    }
  }
  return evidence;
}
