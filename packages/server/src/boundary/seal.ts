/**
 * A fault made ready to leave, in one place: whether the operation happened, what it is about, plain data in
 * place of live objects, an end to every text, and the identifier that the wire and the log share.
 */
import { type Fault, type JsonObject, redact, redactFault, saidExecuted } from '@mayday/core';
import { isOpaque } from '../guards/opaque.ts';
import type { Settings } from '../options.ts';
import { clip } from '../words/clip.ts';
import { correlationIdFor, opaqueId } from './correlate.ts';
import type { Failure } from './failure.ts';
import type { RequestState } from './request-state.ts';
import { cut, subjectType } from './sdk-failures.ts';

/** The fault as it may leave. */
export function seal(failure: Failure, state: RequestState, settings: Settings): Fault {
  const { thrown, began } = failure;
  const { fault } = thrown;
  const declared = failure.authored === 'declared' || saidExecuted(thrown) !== undefined;
  const opaque = isOpaque(thrown);
  const safe = redactFault({
    ...fault,
    ...texts(fault, settings.maxTextLength),
    executed: declared ? fault.executed : executedAs(fault, began),
    correlationId: opaque ? opaqueId(state) : correlationIdFor(fault, state, settings),
  });
  return opaque ? safe : about(safe, state);
}

/** Once the author's work has begun, nobody else can say that nothing happened; before, nothing has. */
function executedAs(fault: Fault, began: boolean): Fault['executed'] {
  if (!began) return fault.executed === 'yes' ? 'yes' : 'no';
  return fault.executed === 'no' ? 'maybe' : fault.executed;
}

/** Everything of a fault that is text or data of the author's. */
function texts(fault: Fault, length: number): Partial<Fault> {
  const { message, advice, issues, details, name, timestamp, subject } = fault;
  const short = (text: string): string => clip(text, length, redacted);
  const parts: { -readonly [K in keyof Fault]?: Fault[K] } = {
    message: short(message),
    issues: issues.map((issue) => ({
      ...issue,
      path: issue.path.map((part) => (typeof part === 'number' ? part : short(String(part)))),
      message: short(issue.message),
      ...(issue.code === undefined ? {} : { code: cut(redacted(issue.code)) }),
    })),
  };
  if (advice !== undefined) parts.advice = short(advice);
  if (details !== undefined) parts.details = plain(details) ?? {};
  if (name !== undefined) parts.name = cut(redacted(name));
  if (timestamp !== undefined) parts.timestamp = cut(redacted(timestamp));
  if (subject !== undefined) parts.subject = { ...subject, type: cut(redacted(subject.type)) };
  return parts;
}

function redacted(text: string): string {
  return redact(text).value;
}

/** What would be sent of the details: `toJSON`, boxed strings and getters are asked now, before redaction. */
function plain(details: JsonObject): JsonObject | undefined {
  try {
    return JSON.parse(JSON.stringify(details)) as JsonObject;
  } catch {
    return undefined; // cyclic, BigInt: it could not have been sent
  }
}

/** A fault that names no subject is about what the request was about, where that cannot change its place. */
function about(fault: Fault, state: RequestState): Fault {
  if (fault.subject !== undefined || fault.kind === 'not_found' || fault.kind === 'unsupported') return fault;
  const { name } = state;
  if (name === undefined) return fault;
  return { ...fault, subject: { type: subjectType(state.method), id: cut(redacted(name)) } };
}
