/** Every failure is kept for the operator. */
import type { Fault } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { after, type Failed } from '@mayday/policy';
import type { CallTrace, Said, Wire, WireCall, WireOutcome, WirePolicy } from '@mayday/relay';
import { cleanStart, toRead } from '../clean-cut.ts';
import type { FaultLog } from '../faults/fault-log.ts';
import { type DialectChoice, dialectFor } from './dialects.ts';
import { isHandedOn } from './handed-on.ts';
import type { Numbered } from './redact-faults.ts';

/** Which call failed, without secrets. */
export interface FailedCall {
  readonly upstream: string;
  readonly method: string;
  /** The tool, the prompt or the resource that was asked for, by the server's own name. */
  readonly target: string | null;
  /** The name of the caller's key. */
  readonly caller: string | null;
}

/** What is known beside a failure. */
export interface BesideFault {
  /** Why it was refused, where the caller is not told. */
  readonly reason?: string | undefined;
  readonly trace?: CallTrace | undefined;
  /** The same failure without its number, where it was met before. */
  readonly unnumbered?: Fault | undefined;
}

/** Where failures are kept, and who else is told. */
export interface RecordOptions {
  readonly journal: FaultLog;
  readonly dialects: DialectChoice;
  readonly onFault: (fault: Fault, of: FailedCall, beside: BesideFault) => void;
  /** Something was thrown on the way that should not have been. */
  readonly onBug: (error: unknown) => void;
  readonly now?: (() => number) | undefined;
}

/** A method and the name of a tool are words of the caller's: they may be anything. */
const MAX_WORD = 200;
const MAX_WORDS = 1000;

/** Words without secrets. Most are met again and again, and are looked at once. */
function createWords(): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const cut = word.slice(0, toRead(word.length, MAX_WORD));
    const found = known.get(cut);
    if (found !== undefined) return found;
    const clean = cleanStart(cut, MAX_WORD, (text) => redact(text).value);
    if (known.size >= MAX_WORDS) known.clear();
    known.set(cut, clean);
    return clean;
  };
}

/** Records what failed. It stands outside of the redaction: the fault it sees holds no secrets. */
export function record(options: RecordOptions): WirePolicy {
  const now = options.now ?? Date.now;
  const harmless = createWords();
  return after((outcome: WireOutcome & Numbered, call) => {
    if (outcome.ok || outcome.value?.type === 'answer' || isProbe(outcome, call)) return outcome;
    const { fault, value } = outcome;
    if (outcome.thrown !== undefined) options.onBug(outcome.thrown);
    const upstream = value?.upstream ?? call.upstream;
    const target = value?.target ?? call.target;
    const of: FailedCall = {
      upstream,
      method: harmless(call.method),
      target: target === undefined ? null : harmless(target),
      caller: call.by.isKnown ? (call.by.name ?? null) : null,
    };
    const at = now();
    options.journal.add({
      at,
      upstream,
      method: of.method,
      target: of.target,
      caller: of.caller,
      fault,
      from: value?.heard?.dialect ?? null,
      to: dialectFor(call, upstream, options.dialects).id,
      certainty: value?.heard?.certainty ?? 1,
      attempts: attemptsOf(fault, call),
      durationMs: at - call.startedAt,
      original: originalOf(value),
    });
    const { refused, unnumbered } = outcome;
    options.onFault(fault, of, { reason: refused?.reason, trace: call.trace, unnumbered });
    return outcome;
  });
}

/** What was sent. One that is under way is not counted yet; where many were asked, each fault has its own count. */
function attemptsOf({ details }: Fault, { progress: { attempts, began } }: WireCall): number {
  const counted = details?.['attempts'];
  if (typeof counted === 'number') return counted;
  return began ? Math.max(1, attempts) : attempts;
}

/** Whoever asks to find out how a server speaks, client or gateway, has failed nobody, nor has who asks for nothing. */
function isProbe({ fault, answered }: Failed<Wire>, call: WireCall): boolean {
  if (isHandedOn(call) || call.isNoCall === true) return true;
  return call.method === 'server/discover' && (answered === true || fault.kind === 'unsupported');
}

function originalOf(said: Said | undefined): Buffer | undefined {
  if (said === undefined) return undefined;
  if (said.type === 'message') return said.bytes;
  return said.type === 'http' ? said.body : said.original;
}
