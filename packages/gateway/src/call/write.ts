/** How a failure goes out: its bytes, its HTTP status, its headers. */
import type { Dialect, Fault, Json, Language } from '@mayday/core';
import { isOfHttp, type JsonRpcWire } from '@mayday/core/dialects';
import { negotiated, toldByTool, withDoubt } from '@mayday/core/forms';
import { toSeconds } from '@mayday/core/http';
import { after, type Failed } from '@mayday/policy';
import {
  type Answer,
  asksForStreams,
  decode,
  encode,
  endOf,
  idOf,
  peek,
  type ReplyHeaders,
  type Said,
  type SaidMessage,
  type Wire,
  type WireCall,
  type WirePolicy,
  withId,
} from '@mayday/relay';
import { beforeLines } from './before-lines.ts';
import { type DialectChoice, dialectFor } from './dialects.ts';
import { answeredCall } from './ended-task.ts';
import { inItsTask } from './failed-tasks.ts';
import { failingHeaders } from './failing-headers.ts';
import { besideIt, hasDocument, sayInDocument } from './in-document.ts';
import { keepTheRest } from './keep-the-rest.ts';
import { keepWhatWasSaid } from './keep-what-was-said.ts';
import { KnownAnswers } from './known-answers.ts';
import { isMalformed } from './malformed.ts';
import { isEndOfTool, isNegotiation, isOfDoor, ownNegotiation } from './negotiation.ts';
import { withPages } from './pages-to-open.ts';
import { type Numbered, type RedactionOptions, upstreamOf } from './redact-faults.ts';
import { type Cleaner, cleanerOf } from './redaction.ts';
import { FALLBACK, placementOf, say } from './say.ts';
import { sayDetails } from './say-details.ts';
import { answeringTo, statusFor } from './status-for.ts';

/** What decides how a failure is put. */
export interface WriteOptions {
  readonly dialects: DialectChoice;
  /** Texts of a failing answer are cut beyond this. */
  readonly textBytes: number;
  /** How much is taken out of what an upstream says when it fails; everything, if absent. */
  readonly redactionOf?: RedactionOptions['redactionOf'];
  /** Something was thrown on the way that should not have been. */
  readonly onBug: (error: unknown) => void;
}

/** Puts every failure into the words of the caller's dialect. */
export function write(options: WriteOptions): WirePolicy {
  const known = new KnownAnswers();
  return after((outcome, call) => {
    if (outcome.ok || outcome.value?.type === 'answer') return outcome;
    const answer =
      repeatedAnswer(call, outcome, known, options) ?? answerTo(call, outcome, outcome.value, options);
    const { eventId, within } = outcome.value?.type === 'message' ? outcome.value : NO_MESSAGE;
    if (within !== undefined) return { ok: true, value: { ...inItsTask(call, answer, within), eventId } };
    const isUnwanted = isCancelled(call);
    return { ok: true, value: { ...answer, eventId, isFailure: true, isUnwanted } };
  });
}

const NO_MESSAGE: Partial<Pick<SaidMessage, 'eventId' | 'within'>> = {};

/** In the 2025 era a request that its caller has cancelled is answered with silence, where a stream can be silent. */
function isCancelled(call: WireCall): boolean {
  if (!call.signal.aborted || call.revision !== '2025-11-25') return false;
  const { kind, origin } = endOf(call).fault; // what others have cancelled is told like everything else
  return kind === 'cancelled' && origin === 'caller' && asksForStreams(call.headers);
}

/** The answer to a call that failed as others did before it; `undefined` where none of them did, or it is not alike. */
function repeatedAnswer(
  call: WireCall,
  outcome: Failed<Wire> & Numbered,
  known: KnownAnswers,
  options: WriteOptions,
): Answer | undefined {
  const { fault, value: said, unnumbered } = outcome;
  const number = fault.correlationId;
  if (unnumbered === undefined || number === undefined || said?.type !== 'message') return undefined;
  if (fault.retry.afterMs !== undefined || isNegotiation(call, said, options.dialects.language))
    return undefined;
  if (dialectFor(call, said.upstream ?? call.upstream, options.dialects) !== FALLBACK) return undefined;
  const found = known.find(call, unnumbered, number);
  if (found !== undefined)
    return { type: 'answer', ...found, headers: { ...JSON_BODY, ...headersOf(said) }, isStream: false };
  const answer = answerTo(call, outcome, said, options);
  known.learn(call, unnumbered, number, answer);
  return answer;
}

/** The answer to a call that failed. */
function answerTo(
  call: WireCall,
  outcome: Failed<Wire> & Numbered,
  heard: Said | undefined,
  options: WriteOptions,
): Answer {
  const { language } = options.dialects;
  const failed = outcome.told ?? outcome.fault;
  const isOfTool = isEndOfTool(call, failed, heard, language);
  const said = isOfTool ? saidByTool(heard) : heard;
  const cleaner = cleanerOf(options.redactionOf?.(upstreamOf(outcome, call)) ?? 'standard').knowing(said);
  const wanted = dialectFor(call, said?.upstream ?? call.upstream, options.dialects);
  const fault = isOfTool ? toldByTool(failed, wanted) : failed;
  if (said !== undefined && !isOfTool && isNegotiation(call, said, language, wanted))
    return passedOn(call, said, fault, { dialect: wanted, cleaner, language });
  const headers = { ...JSON_BODY, ...headersOf(said), ...waitOf(fault) };
  const dialect = spokenTo(call, said, wanted);
  if (hasDocument(dialect)) {
    const own = ownNegotiation(call, fault, said, dialect);
    if (own !== undefined) return toSend(call, own, said, { headers, fault });
    const { textBytes, onBug } = options;
    const answer = sayInDocument(call, fault, said, { dialect, language, textBytes, cleaner, onBug });
    if (!('http' in answer)) return toSend(call, answer, said, { headers, fault });
  }
  // What the server said stays where it said it; for words of our own the dialect knows the place.
  const ofRequest = isTransports(said) || isMalformed(fault, said);
  const wire = say(fault, dialect, language, {
    id: call.peek.kind === 'notification' ? undefined : idOf(call.body, call.peek),
    method: ofRequest ? '' : (isErrorOfTask(said) ? call : answeredCall(call, said)).method,
    placement: ofRequest ? 'protocol' : placementOf(said),
    revision: call.revision,
    ours: said === undefined || said.type === 'nothing',
    ofRequest,
    onBug: options.onBug,
  });
  if ('http' in wire) {
    const kept = keepTheRest(wire, said, options.textBytes, { fault, cleaner });
    const { status, headers: own, body } = answeringTo(call, kept, { fault, said });
    return { type: 'answer', body: encode(body), status, headers: { ...headers, ...own }, isStream: false };
  }
  const detailed = sayDetails(wire, fault, said, cleaner);
  const kept = beforeLines(keepWhatWasSaid(detailed, said, options.textBytes, cleaner), fault);
  return toSend(call, keepTheRest(kept, said, options.textBytes, { fault, cleaner }), said, {
    headers,
    fault,
  });
}

/** The same answer, as what the tool has come to. */
function saidByTool(said: Said | undefined): Said | undefined {
  return said?.heard === undefined ? said : { ...said, heard: { ...said.heard, placement: 'tool' } };
}

/** A task that has failed has an error in it; one with a result would have come to its end. */
function isErrorOfTask(said: Said | undefined): boolean {
  return said?.type === 'message' && said.within?.['status'] === 'failed';
}

function toSend(
  call: WireCall,
  wire: JsonRpcWire,
  said: Said | undefined,
  { headers, fault }: { readonly headers: ReplyHeaders; readonly fault: Fault },
): Answer {
  const isResult = wire.result !== undefined && !isChallenge(said);
  const status = isResult ? 200 : statusFor(call, said, { code: wire.error?.code ?? 0, fault });
  return { type: 'answer', body: encode(wire), status, headers, isStream: false };
}

/** A dialect of HTTP answers has nothing to say once a stream has begun, nor inside of a task. */
function spokenTo({ back }: WireCall, said: Said | undefined, wanted: Dialect): Dialect {
  const isInside = back.isStream || (said?.type === 'message' && said.within !== undefined);
  return isInside && isOfHttp(wanted) ? FALLBACK : wanted;
}

const JSON_BODY: ReplyHeaders = { 'content-type': 'application/json' };

/** A client logs in when it sees the status, whatever it called. */
function isChallenge(said: Said | undefined): boolean {
  return said?.type === 'http' && (said.status === 401 || said.status === 403);
}

/** Was it the transport that said no? Then the answer is a protocol error, whatever the method. */
function isTransports(said: Said | undefined): boolean {
  return said?.type === 'nothing' && said.status !== undefined;
}

function waitOf({ retry }: Fault): ReplyHeaders {
  return retry.afterMs === undefined ? {} : { 'retry-after': String(toSeconds(retry.afterMs)) };
}

function headersOf(said: Said | undefined): ReplyHeaders {
  if (said === undefined) return {};
  return said.type === 'nothing' ? (said.headers ?? {}) : failingHeaders(said.status, said.headers ?? {});
}

type NegotiationError = JsonRpcWire & { readonly error: NonNullable<JsonRpcWire['error']> };

/** Errors with which the two sides agree on a revision keep their code and structure, in a document under its name; secrets go all the same. */
function passedOn(call: WireCall, said: Said, fault: Fault, { dialect, cleaner, language }: Passing): Answer {
  const bytes = said.type === 'message' ? said.bytes : said.type === 'http' ? said.body : EMPTY;
  const whole = decode(bytes) as NegotiationError;
  const clean = cleanNegotiation(whole, cleaner);
  const isTheirs = said.heard?.dialect === dialect.id && dialect.closed !== true;
  const plain: NegotiationError =
    hasDocument(dialect) && !isTheirs
      ? ({
          jsonrpc: '2.0',
          id: clean.id,
          error: negotiated(clean.error, fault.kind, dialect),
        } as NegotiationError)
      : clean;
  const status = statusFor(call, said, { code: clean.error.code, fault });
  const isRefused = isOfDoor(call, fault, said) || answeredCall(call, said).method !== 'tools/call';
  const value = isRefused ? plain : inDoubt(plain, fault, status, { dialect, language });
  return {
    type: 'answer',
    body: answering(call, value === whole ? bytes : encode(value)),
    status,
    headers: { ...JSON_BODY, ...headersOf(said) },
    isStream: false,
  };
}

interface Passing {
  readonly dialect: Dialect;
  readonly cleaner: Cleaner;
  readonly language: Language;
}

/** With our word beside it, where it would be taken for a refusal of a call that may have been executed. */
function inDoubt(
  wire: JsonRpcWire,
  fault: Fault,
  status: number,
  { dialect, language: { read } }: Omit<Passing, 'cleaner'>,
): JsonRpcWire {
  if (isOfHttp(dialect)) return wire;
  const doubted = withDoubt(wire, fault, { dialect, read });
  if (doubted !== wire || fault.executed === 'no' || dialect.closed === true) return doubted;
  const heard = read({ http: { status, headers: {}, body: JSON.stringify(wire) } }, { from: dialect.id });
  return heard.failure && heard.fault.executed === 'no' ? besideIt(wire, { happened: fault.executed }) : wire;
}

function cleanNegotiation(whole: NegotiationError, cleaner: Cleaner): NegotiationError {
  const clean = cleaner.clean(whole);
  if (clean === whole || clean.error.data === undefined) return clean;
  const data = withPages(clean.error.data, whole.error.data, cleaner) as Json;
  return { ...clean, error: { ...clean.error, data } };
}

/** Whoever was asked on behalf of the call was asked under another id. */
function answering(call: WireCall, message: Buffer): Buffer {
  const { idStart, idEnd, kind } = call.peek;
  return kind === 'request' ? withId(message, peek(message), call.body.subarray(idStart, idEnd)) : message;
}

const EMPTY: Buffer = Buffer.alloc(0);
