/** The bridge from a wire to a reader of bodies and prose. */
import type { Heard } from './dialects/dialect.ts';
import { waitMs } from './fault.ts';
import { waitFromData } from './hints.ts';
import type { ProseReader } from './prose/read-prose.ts';
import type { ProseContext, ProseReading } from './prose/types.ts';
import { remembering } from './remember.ts';
import { isVague, leavesToNumber } from './vague.ts';
import type { Wire } from './wire/wire.ts';

/**
 * Reads what the body or the text of a wire says to a reader who knows how software reports errors. `readOurs`: reads our own
 * text for a model.
 */
export function wordsReader(
  reader: Pick<ProseReader, 'readProse' | 'readBody'>,
  readOurs?: (text: string) => Heard | undefined,
): (wire: Wire) => Heard | undefined {
  const readWords = rememberingAlone(reader);
  return (wire) => {
    const { error } = wire;
    const ours = readOurs?.(wire.text);
    if (ours !== undefined) return ours;
    if (error !== undefined && wire.placement === 'protocol' && OWN.test(wire.text)) return ownError(wire);
    const context = contextOf(wire);
    const body = wire.body ?? error?.data;
    const fromBody = body === undefined || body === null ? undefined : reader.readBody(body, context);
    // A message that only says that there is an error leaves it to the number and the status beside it.
    const text = saysNothing(wire) ? '' : wire.text;
    const fromText = wire.text === '' ? undefined : readWords(text, context);
    const best = (fromBody?.certainty ?? 0) >= (fromText?.certainty ?? 0) ? fromBody : fromText;
    // Whichever decides what it is, the body knows the fields.
    if (best === undefined) return undefined;
    return heard(fromBody?.issues === undefined ? best : { ...best, issues: fromBody.issues }, wire);
  };
}

/** Tools say the same failures in the same few words again and again, and nothing beside them. */
function rememberingAlone({ readProse }: Pick<ProseReader, 'readProse'>): ReadWords {
  const readAlone = remembering((text) => readProse(text));
  return (text, context) => {
    if (context !== NO_CONTEXT) return readProse(text, context);
    const known = readAlone(text);
    return known === undefined ? undefined : copyOf(known);
  };
}

type ReadWords = (text: string, context: ProseContext) => ProseReading | undefined;

/** What is remembered is nobody's to change: whoever is told it has it for themselves. */
function copyOf(reading: ProseReading): ProseReading {
  const copy: { -readonly [K in keyof ProseReading]: ProseReading[K] } = { ...reading };
  copy.evidence = reading.evidence.map((one) => ({ ...one }));
  if (reading.subject !== undefined) copy.subject = { ...reading.subject };
  if (reading.issues !== undefined)
    copy.issues = reading.issues.map((issue) => ({ ...issue, path: [...issue.path] }));
  return copy;
}

/** Inside a tool, whose server it was is plain: the one behind it. */
const QUOTED = /^(?:error: )?server (?:error|failure)\W{0,4}$/i;

/** Does a text leave it to the number beside it to say what went wrong? */
export function saysNothing({ text, placement, error }: Wire): boolean {
  // The prefix of the SDKs with nothing behind it only repeats the number.
  if (error?.code !== undefined && text === `MCP error ${error.code}`) return true;
  return isVague(text) && !(placement === 'tool' && error === undefined && QUOTED.test(text));
}

const NO_CONTEXT: ProseContext = {};

/** What stands beside the words. A number above zero is in no specification: alone it tells nothing. */
export function contextOf({ error, http, text }: Wire): ProseContext {
  const status = http?.status;
  const isAlone = error?.code !== undefined && error.code > 0 && leavesToNumber(text, error.code);
  const code = isAlone ? undefined : error?.code;
  if (code === undefined) return status === undefined ? NO_CONTEXT : { status };
  return status === undefined ? { code } : { code, status };
}

/** Inside a tool these words quote a backend; as the message of a JSON-RPC error, the server means itself. */
const OWN = /^internal (?:server )?error\W{0,4}$/i;

function ownError(wire: Wire): Heard {
  const says = 'the server calls it its own internal error';
  return {
    kind: 'internal',
    message: wire.text,
    certainty: 0.6,
    evidence: [{ by: 'phrase', says, kind: 'internal' }],
  };
}

/** What was read, as readers hand it on. */
export function heard(reading: ProseReading, wire: Wire): Heard {
  // The words of a list are all of its first items, not of one alone.
  const listed = wire.placement === 'http' && Array.isArray(wire.body) && wire.text !== '';
  return {
    kind: reading.kind,
    message: listed ? wire.text : (reading.message ?? wire.text),
    subject: reading.subject,
    retryable: reading.retryable,
    retry: waitMs(reading.afterMs ?? waitFromData(wire.error?.data ?? wire.body)),
    issues: reading.issues,
    certainty: reading.certainty,
    evidence: reading.evidence,
  };
}
