/** What became of a request, and what of it must stay as it is on the wire. */
import {
  causeOf,
  type DialectId,
  FaultError,
  faultOf,
  type Json,
  type Language,
  makeFault,
  saidExecuted,
  saidRetryable,
} from '@mayday/core';
import { formOf, saidKind } from '@mayday/core/forms';
import type { RedactOptions } from '@mayday/core/redact';
import type { Call } from '../call.ts';
import type { Settings } from '../options.ts';
import { answered, Misused } from '../report/hooks.ts';
import { faultFromException } from '../words/exception.ts';
import type { JsonSchema } from '../words/tool-schema.ts';
import { isOfBackend } from './backend-body.ts';
import { isHandedOn } from './handed-on.ts';
import { lastFailure } from './last-resort.ts';
import { type SpokenError, saidInDocument, spokenError } from './spoken.ts';
import { answersAsTool } from './task-requests.ts';

/** A failure on its way out. */
export interface Failure {
  readonly thrown: FaultError;
  /** What the log gets, where it is not the fault's own private cause. */
  readonly cause?: unknown;
  /** What was thrown, where the fault was made of it: what it carries may give away what its words mention. */
  readonly met?: unknown;
  /** The author's work had begun: then only the author can say that nothing happened. */
  readonly began: boolean;
  /** The exception's words were kept back; the answer refers to the log. */
  readonly masked?: boolean | undefined;
  /** How its words are redacted, where that is not as everything else. */
  readonly redaction?: RedactOptions | undefined;
  /** A code that the specification fixes, and over HTTP the status with it. */
  readonly code?: number | undefined;
  /** A code that the author chose. */
  readonly spokenCode?: number | undefined;
  readonly data?: unknown;
  /** The sentence is the guard's or the SDK's, not the author's. */
  readonly ours?: boolean | undefined;
  /** The request itself is wrong: nothing has been asked of any tool, prompt or resource. */
  readonly ofRequest?: boolean | undefined;
  /** The answer is a tool's result, whatever the kind. */
  readonly asTool?: boolean | undefined;
  /** The client has to act on the error as it is: only its texts are redacted. */
  readonly kept?: boolean | undefined;
  /** The author wrote the error result: all of it stays, and the fault is added to it. */
  readonly authored?: boolean | undefined;
  /** The dialect that the author's result is in, where it is in one. */
  readonly spoken?: DialectId | undefined;
  /** What it says was understood well enough to give advice. */
  readonly advised?: boolean | undefined;
  /** Nobody wrote the words for a caller: they are a backend's, or those of somebody who is not known. */
  readonly foreign?: 'backend' | 'somebody' | undefined;
  /** A fault that was said of another call, and thrown on. */
  readonly handedOn?: boolean | undefined;
}

/** What it takes to judge something that was thrown. */
export interface ThrownContext {
  readonly settings: Settings;
  readonly call: Call;
  readonly began: boolean;
  /** Nobody has checked the arguments before the handler did. */
  readonly unchecked?: boolean | undefined;
  /** What its tool says that it takes, if that is known. */
  readonly schema?: (() => JsonSchema | undefined) | undefined;
  /** What its tool says of itself. */
  readonly deals?: (() => string) | undefined;
}

/** Anything thrown → a failure. Faults and the SDK's own wire errors keep their words, others as they deserve. */
export function failureFromThrown(reason: unknown, context: ThrownContext): Failure {
  try {
    return { ...judged(reason, context), met: reason };
  } catch (bug) {
    return lastFailure(bug, context.began, reason);
  }
}

function judged(reason: unknown, context: ThrownContext): Failure {
  const { began } = context;
  if (reason instanceof Misused) return lastFailure(reason, began);
  if (faultOf(reason) !== undefined) return failureFromFault(FaultError.from(reason), context);
  const mapped = mapError(reason, context);
  if (mapped.thrown !== undefined)
    return { ...failureFromFault(mapped.thrown, context), cause: causeOf(mapped.thrown) ?? reason };
  const spoken = spokenError(reason);
  if (spoken !== undefined) return failureFromSpoken(spoken, reason, context);
  const { messages, maxTextLength, redaction, language } = context.settings;
  const { call } = context;
  const said = faultFromException(reason, {
    messages,
    maxTextLength,
    redaction,
    language,
    arguments: call.arguments,
    uri: call.method === 'resources/read' ? call.name : undefined,
    unchecked: context.unchecked,
    schema: context.schema,
    deals: context.deals,
  });
  const foreign = isOfBackend(reason) ? 'backend' : 'somebody';
  const failure: Failure = { ...said, began, ours: true, foreign };
  if (mapped.bug === undefined) return failure;
  const cause = new AggregateError([reason, mapped.bug], `mapError threw: ${String(mapped.bug)}`);
  return { ...failure, cause };
}

/** What the author makes of the exception. A bug there costs the caller nothing, and the log learns of it. */
function mapError(
  reason: unknown,
  { settings, call }: ThrownContext,
): { readonly thrown?: FaultError; readonly bug?: unknown } {
  if (settings.mapError === undefined) return {};
  try {
    const mapped = answered('mapError', () => settings.mapError?.(reason, call));
    if (mapped === undefined || mapped === null) return {};
    if (faultOf(mapped) === undefined)
      return { bug: new TypeError('Expected `mapError` to return a fault or nothing') };
    return { thrown: FaultError.from(mapped) };
  } catch (bug) {
    return { bug };
  }
}

/** A fault that an author made, or one that was said of another call: then its code is that of somebody else's answer. */
function failureFromFault(thrown: FaultError, { settings: { dialect }, began }: ThrownContext): Failure {
  if (saidKind(thrown) !== undefined) return { thrown, began };
  const { native, ...fault } = thrown.fault;
  const isTheirs =
    native?.dialect === dialect.id && native.raw === undefined && formOf(dialect) !== undefined;
  if (!isTheirs) return { thrown, began, handedOn: true };
  const said = {
    saidExecuted: saidExecuted(thrown) !== undefined,
    saidRetryable: saidRetryable(thrown) !== undefined,
  };
  return { thrown: new FaultError(fault, { cause: causeOf(thrown), ...said }), began, handedOn: true };
}

function failureFromSpoken(
  spoken: SpokenError,
  reason: unknown,
  { settings, call, began }: ThrownContext,
): Failure {
  const handedOn = isHandedOn(reason);
  const own = handedOn ? undefined : saidInDocument(spoken, settings, answersAsTool(call.method));
  if (own !== undefined) return { thrown: new FaultError(own, { cause: reason, saidKind: true }), began };
  return {
    thrown: faultFromSpoken(spoken, reason, settings.language),
    began,
    spokenCode: spoken.code,
    foreign: handedOn ? 'somebody' : undefined,
    // The SDK's own way to say what a backend answered: a limit of that is nobody's word about this call.
    handedOn: true,
  };
}

function faultFromSpoken(spoken: SpokenError, reason: unknown, language: Language): FaultError {
  const heard = language.read({ jsonrpc: '2.0', id: 0, error: spoken });
  const base = heard.failure ? heard.fault : makeFault({ kind: 'internal' });
  const data = jsonOrNothing(spoken.data);
  const fault = makeFault({
    ...base,
    kind: base.kind === 'unknown' ? 'internal' : base.kind,
    message: spoken.message,
    advice: heard.failure && isOfDocument(heard.dialect, language) ? undefined : base.advice,
    origin: base.origin === 'local' ? 'server' : base.origin,
    native: undefined,
    details: data === undefined ? { code: spoken.code } : { code: spoken.code, data },
  });
  return new FaultError(fault, { cause: reason });
}

/** What a document tells whoever meets its code is for clients of that system; an author only used a number of it. */
function isOfDocument(id: DialectId | null, language: Language): boolean {
  return id !== null && formOf(language.dialect(id)) !== undefined;
}

function jsonOrNothing(value: unknown): Json | undefined {
  try {
    return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
  } catch {
    return undefined; // cyclic, BigInt: it could not have been sent
  }
}
