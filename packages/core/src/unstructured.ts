/** The bridge from a wire to the readers of bodies and prose. */

import type { Heard } from './dialects/dialect.ts';
import { waitMs } from './fault.ts';
import { waitFromData } from './hints.ts';
import { own } from './json.ts';
import type { Kind } from './kinds.ts';
import {
  detectDisguised,
  type Finding,
  type ProseContext,
  type ProseReading,
  readBody,
  readProse,
  weighBody,
  weighProse,
} from './prose/index.ts';
import { remembering } from './remember.ts';
import { heardInAdvice } from './render/read-model-text.ts';
import { isVague, leavesToNumber } from './vague.ts';
import type { Wire } from './wire/wire.ts';

/** What the body or the text of a wire says to a reader who knows how software reports errors. */
export function readUnstructured(wire: Wire): Heard | undefined {
  const { error } = wire;
  const ours = heardInAdvice(wire.text);
  if (ours !== undefined) return ours;
  if (error !== undefined && wire.placement === 'protocol' && OWN.test(wire.text)) return ownError(wire);
  const context = contextOf(wire);
  const body = wire.body ?? error?.data;
  const fromBody = body === undefined || body === null ? undefined : readBody(body, context);
  // A message that only says that there is an error leaves it to the number and the status beside it.
  const text = saysNothing(wire) ? '' : wire.text;
  const fromText = wire.text === '' ? undefined : readWords(text, context);
  const best = (fromBody?.certainty ?? 0) >= (fromText?.certainty ?? 0) ? fromBody : fromText;
  // Whichever decides what it is, the body knows the fields.
  if (best === undefined) return undefined;
  return heard(fromBody?.issues === undefined ? best : { ...best, issues: fromBody.issues }, wire);
}

/** Tools say the same failures in the same few words again and again, and nothing beside them. */
const readAlone = /* @__PURE__ */ remembering((text) => readProse(text));

function readWords(text: string, context: ProseContext): ProseReading | undefined {
  if (context !== NO_CONTEXT) return readProse(text, context);
  const known = readAlone(text);
  return known === undefined ? undefined : copyOf(known);
}

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

function saysNothing({ text, placement, error }: Wire): boolean {
  // The prefix of the SDKs with nothing behind it only repeats the number.
  if (error?.code !== undefined && text === `MCP error ${error.code}`) return true;
  return isVague(text) && !(placement === 'tool' && error === undefined && QUOTED.test(text));
}

/** One reason for a reading, and what it weighs. */
export interface Weighed {
  /** Where it was found. */
  readonly in: 'text' | 'body';
  /** The layer that found it: `status`, `phrase`, `body:zod`, … */
  readonly by: string;
  readonly kind: Kind;
  /** 0 … 100. The heaviest decides. */
  readonly weight: number;
  readonly says: string;
  /** The same call meets it again, whatever the kind. */
  readonly never: boolean;
}

/** Every finding in the body and in the text of a wire, the heaviest of each first: why it is read as it is. */
export function weigh(wire: Wire): readonly Weighed[] {
  const context = contextOf(wire);
  const body = wire.body ?? wire.error?.data;
  const inBody = body === undefined || body === null ? [] : weighBody(body, context);
  const inText = wire.text === '' ? [] : weighProse(saysNothing(wire) ? '' : wire.text, context);
  return [
    ...inBody.map((found) => toWeighed('body', found)),
    ...inText.map((found) => toWeighed('text', found)),
  ];
}

function toWeighed(where: Weighed['in'], { by, kind, weight, says, never }: Finding): Weighed {
  return { in: where, by, kind, weight, says, never: never === true };
}

const NO_CONTEXT: ProseContext = {};

/** What stands beside the words. A number above zero is in no specification: alone it tells nothing. */
function contextOf({ error, http, text }: Wire): ProseContext {
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

function heard(reading: ProseReading, wire: Wire): Heard {
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

/** Below this, a success stays a success. */
const DISGUISE = 0.7;

/** A failure that came as a plain tool result, without `isError`. */
export function readDisguised(wire: Wire): Heard | undefined {
  if (wire.placement !== 'tool' || wire.result === undefined) return undefined;
  const found = detectDisguised(wire.text, own(wire.result, 'structuredContent'));
  if (found === undefined || found.probability < DISGUISE) return undefined;
  const says = `a success whose text is an error, with probability ${found.probability.toFixed(2)}`;
  const said = heard(found.reading, wire);
  return {
    ...said,
    certainty: Math.min(said.certainty, found.probability),
    evidence: [{ by: 'disguise', says }, ...said.evidence],
  };
}
