/** The bridge from a wire to the readers of bodies and prose. */

import type { Heard } from './dialects/dialect.ts';
import { waitMs } from './fault.ts';
import { type ProseReading, readBody, readProse } from './prose/index.ts';
import type { Wire } from './wire/wire.ts';

/** What the body or the text of a wire says to a reader who knows how software reports errors. */
export function readUnstructured(wire: Wire): Heard | undefined {
  const { error, http } = wire;
  const context = {
    ...(error?.code === undefined ? {} : { code: error.code }),
    ...(http === undefined ? {} : { status: http.status }),
  };
  const body = wire.body ?? error?.data;
  const fromBody = body === undefined || body === null ? undefined : readBody(body, context);
  const fromText = wire.text === '' ? undefined : readProse(wire.text, context);
  const best = (fromBody?.certainty ?? 0) >= (fromText?.certainty ?? 0) ? fromBody : fromText;
  return best === undefined ? undefined : heard(best, wire);
}

function heard(reading: ProseReading, wire: Wire): Heard {
  return {
    kind: reading.kind,
    message: reading.message ?? wire.text,
    subject: reading.subject,
    retryable: reading.retryable,
    retry: waitMs(reading.afterMs),
    issues: reading.issues,
    certainty: reading.certainty,
    evidence: reading.evidence,
  };
}
