/** What log lines say beside the fault: which call it was, and who was turned away. */
import { type Fault, type FaultInit, makeFault } from '@mayday/core';
import { redact, redactFault } from '@mayday/core/redact';
import { fieldsIn, forOperator } from '@mayday/core/render';
import { hush } from '@mayday/policy';
import type { CallTrace, RequestHead } from '@mayday/relay';
import { boundedLines } from './bounded-lines.ts';
import type { FailedCall } from './call/record.ts';
import { cleanStart } from './clean-cut.ts';
import { type LogFacts, toLogLine } from './log-lines.ts';

/** Takes a line for the operator; what it says, apart, is for logs that programs read. */
export type Log = (line: string, facts?: LogFacts) => void;

/** What whoever runs the gateway does with its lines. Calls go on where that throws or rejects. */
export function operatorsLog(onLog: Log | undefined): Log {
  return (line, facts) => {
    try {
      hush(onLog?.(toLogLine(line), facts));
    } catch {
      // There is nobody else to tell.
    }
  };
}

const PLAIN = /^[\w.:/@+-]+$/;

/** A value that may hold blanks and quotes. */
function inLine(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text);
}

const TARGETS: { readonly [method: string]: string } = { 'tools/call': 'tool', 'prompts/get': 'prompt' };

/** A call that failed: `upstream=a method=tools/call tool=pay caller=ann reason=denied`. */
export function callWords(
  { upstream, method, target, caller }: FailedCall,
  reason?: string,
  trace?: CallTrace,
): string {
  let words = `upstream=${upstream}`;
  if (method !== '') words += ` method=${inLine(method)}`;
  if (target !== null) words += ` ${TARGETS[method] ?? 'target'}=${inLine(target)}`;
  if (caller !== null) words += ` caller=${inLine(caller)}`;
  if (reason !== undefined) words += ` reason=${inLine(reason)}`;
  if (trace !== undefined) words += ` trace_id=${trace.traceId}`;
  return words;
}

/** The same, apart. */
export function callFacts(fault: Fault, of: FailedCall, trace: CallTrace | undefined): LogFacts {
  const { upstream, method, target, caller } = of;
  const { kind, origin, executed, correlationId } = fault;
  return {
    event: 'fault',
    upstream,
    method,
    target: target ?? undefined,
    caller: caller ?? undefined,
    kind,
    origin,
    executed,
    fields: fault.issues.length === 0 ? undefined : fieldsIn(fault).join(','),
    correlation_id: correlationId,
    trace_id: trace?.traceId,
    span_id: trace?.spanId,
  };
}

/** Somebody who was not let in. */
export interface TurnedAwayVisit {
  readonly status: number;
  readonly fault: FaultInit;
  readonly request: RequestHead;
  /** The name of the caller, if it is known. */
  readonly caller: string | undefined;
  /** What is wrong with its credential; it is not told. */
  readonly reason?: string | undefined;
}

/** Of each status, this many refusals are told in a minute: anybody can cause them. */
const PER_MINUTE = 50;
const MAX_PATH = 200;

/** Tells of those who were not let in. A query may hold anything and is left out. */
export function refusalLines(log: (line: string) => void): (visit: TurnedAwayVisit) => void {
  const told = new Map<number, (line: string) => void>();
  const lineOf = (status: number): ((line: string) => void) => {
    const known = told.get(status);
    if (known !== undefined) return known;
    const line = boundedLines({
      perMinute: PER_MINUTE,
      tell: log,
      leftOut: (count) =>
        count === 'the rest'
          ? `refused status=${status}: more than ${PER_MINUTE} in a minute; the rest of them is left out`
          : `refused status=${status}: ${count} were left out; the last of them:`,
    });
    told.set(status, line);
    return line;
  };
  return ({ status, fault, request, caller, reason }) => {
    const address = (request.url ?? '/').split('?', 1)[0] ?? '';
    const path = cleanStart(address, MAX_PATH, (text) => redact(text).value);
    const who = caller === undefined ? '' : ` caller=${inLine(caller)}`;
    const why = reason === undefined ? '' : ` reason=${inLine(reason)}`;
    const what = `${request.method ?? ''} ${path}${who}${why}`;
    lineOf(status)(`refused status=${status} ${what} ${forOperator(redactFault(makeFault(fault)))}`);
  };
}
