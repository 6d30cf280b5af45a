/**
 * A plain exception as a fault. Words go to those who can act on them: what the caller can act on keeps its
 * redacted words; what only the operator can act on leaves as its kind's standard sentence.
 */
import {
  FaultError,
  type FaultInit,
  KINDS,
  type Kind,
  type Language,
  makeFault,
  type Reading,
  read,
} from '@mayday/core';
import { type RedactOptions, redact } from '@mayday/core/redact';
import { fitArguments, issuesOf } from './arguments.ts';
import { clip } from './clip.ts';
import { isOwnCredential } from './credentials.ts';
import { type Described, describe } from './describe.ts';
import { tellsOfDone } from './done.ts';
import { instructs } from './instructs.ts';
import { asksInSql, databaseKind, isBug, isDatabase } from './operator.ts';

/** Whose words go out: those the caller can act on, nobody's, or everybody's. All of them redacted. */
export type Messages = 'actionable' | 'none' | 'all';

/** What decides beside the exception. */
export interface ExceptionContext {
  readonly messages: Messages;
  readonly maxTextLength: number;
  /** What the caller sent, if it was a call. */
  readonly arguments?: unknown;
  /** Nobody has checked the arguments before the handler did. */
  readonly unchecked?: boolean | undefined;
  /** The arguments that its tool was listed with, if that is known. */
  readonly listed?: ReadonlySet<string> | undefined;
  readonly redaction?: RedactOptions | undefined;
  /** What backends may have said it in. */
  readonly language: Language;
}

/** A fault, and whether the exception's own words were kept back. */
export interface FromException {
  readonly thrown: FaultError;
  readonly masked: boolean;
}

/** From here on a reading is believed. */
const SURE = 0.6;

/** Kinds that the caller can do something about. */
const FOR_CALLERS: ReadonlySet<Kind> = new Set<Kind>([
  'parse_error',
  'invalid_request',
  'invalid_arguments',
  'unprocessable',
  'too_large',
  'unsupported_media',
  'expired',
  'unsupported',
  'unauthenticated',
  'forbidden',
  'approval_required',
  'input_required',
  'not_found',
  'conflict',
  'not_ready',
  'rate_limited',
  'quota_exhausted',
]);

/**
 * The fault of anything that was thrown and is no fault itself. What was never written for a caller is redacted more
 * strictly: words without a context may be anything.
 */
export function faultFromException(reason: unknown, context: ExceptionContext): FromException {
  const about = describe(reason);
  const issues = issuesOf(reason);
  if (issues !== undefined) {
    const own = context.unchecked === true && fitArguments(issues, context.arguments, context.listed);
    const init: FaultInit = own ? { kind: 'invalid_arguments', issues } : { kind: 'internal' };
    return { thrown: new FaultError(makeFault(init), { cause: reason }), masked: !own };
  }
  const heard = hear(reason, about, context);
  const words = about.message.trim();
  const speaks = words !== '' && mayBeSaid(heard.kind, words, context.messages);
  const safely = (text: string): string => redact(text, { ...context.redaction, ...STRICTLY }).value;
  const message = speaks ? clip(words, context.maxTextLength, safely) : KINDS[heard.kind].title;
  return { thrown: new FaultError(makeFault({ ...heard, message }), { cause: reason }), masked: !speaks };
}

/** An exception's words were written for nobody: odd words go as well. A loopback address tells nothing to anybody else. */
const STRICTLY = { level: 'strict', disable: ['loopback'] } as const;

/**
 * What it is: what its class, code or status proves, else what its words clearly say to the caller. Words
 * that only an operator can act on prove nothing: they may quote anybody.
 */
function hear(reason: unknown, about: Described, context: ExceptionContext): FaultInit {
  const reading = sharpened(context.language.read({ thrown: reason ?? {} }), about);
  const proof = proofOf(reading);
  const unauthenticated = proof !== 'class' && isUnauthenticated(reading) && proof !== undefined;
  if (isOwnCredential(reason, about, { unauthenticated, arguments: context.arguments }))
    return { kind: 'misconfigured', origin: 'server' };
  if (proof !== 'errno' && isDatabase(reason, about) && !asksInSql(context.arguments))
    return { kind: databaseKind(about) };
  if (proof === undefined && isBug(about)) return { kind: 'internal' };
  if (!reading.failure || reading.certainty < SURE)
    return { kind: instructs(about.message) ? 'unprocessable' : 'internal' };
  const { kind, subject, reaction, retry, origin } = reading.fault;
  if (proof === undefined && !FOR_CALLERS.has(kind)) return { kind: 'internal' };
  // Nobody took the call back, or nobody would be answered: what was aborted is a wait of the handler's own.
  if (kind === 'cancelled') return { kind: 'timeout', origin: 'upstream' };
  return { kind, subject, reaction, retry, origin: origin === 'local' ? 'server' : origin };
}

/** Evidence that is not prose. */
const PROOFS: readonly string[] = ['errno', 'status', 'class', 'sdk', 'code'];

function proofOf(reading: Reading): string | undefined {
  const by = reading.failure ? reading.evidence[0]?.by : undefined;
  return by !== undefined && PROOFS.includes(by) ? by : undefined;
}

function isUnauthenticated(reading: Reading): boolean {
  return reading.failure && reading.fault.kind === 'unauthenticated';
}

/** Some interfaces say 403 to callers that are too fast, and mean 429. */
function sharpened(reading: Reading, { message }: Described): Reading {
  if (!reading.failure || reading.fault.kind !== 'forbidden') return reading;
  const spoken = read(message);
  if (!spoken.failure || spoken.fault.kind !== 'rate_limited' || spoken.certainty < SURE) return reading;
  const retry = reading.fault.retry.afterMs === undefined ? spoken.fault.retry : reading.fault.retry;
  return {
    ...reading,
    fault: makeFault({ kind: 'rate_limited', message, retry: { ...retry, when: 'after_wait' } }),
  };
}

/** What was done before it failed concerns the caller, whoever has to mend the rest. */
function mayBeSaid(kind: Kind, words: string, messages: Messages): boolean {
  return messages === 'actionable' ? FOR_CALLERS.has(kind) || tellsOfDone(words) : messages === 'all';
}
