/** Every failure is kept for the operator. */
import type { Fault } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { after } from '@mayday/policy';
import type { Said, WirePolicy } from '@mayday/relay';
import type { FaultLog } from '../faults/fault-log.ts';
import { type DialectChoice, dialectFor } from './dialects.ts';

/** Where failures are kept, and who else is told. */
export interface RecordOptions {
  readonly journal: FaultLog;
  readonly dialects: DialectChoice;
  readonly onFault: (fault: Fault, upstream: string, method: string) => void;
  /** Something was thrown on the way that should not have been. */
  readonly onBug: (error: unknown) => void;
  readonly now?: (() => number) | undefined;
}

/** A method is a word of the caller's: it may be anything. */
const MAX_METHOD = 100;

/** Records what failed. It stands outside of the redaction: the fault it sees holds no secrets. */
export function record(options: RecordOptions): WirePolicy {
  const now = options.now ?? Date.now;
  return after((outcome, call) => {
    if (outcome.ok || outcome.value?.type === 'answer') return outcome;
    const { fault, value } = outcome;
    if (outcome.thrown !== undefined) options.onBug(outcome.thrown);
    const upstream = value?.upstream ?? call.upstream;
    const method = redact(call.method.slice(0, MAX_METHOD)).value;
    options.journal.add({
      at: now(),
      upstream,
      method,
      fault,
      from: value?.heard?.dialect ?? null,
      to: dialectFor(call, upstream, options.dialects).id,
      certainty: value?.heard?.certainty ?? 1,
      attempts: Math.max(1, call.progress.attempts),
      durationMs: now() - call.startedAt,
      original: originalOf(value),
    });
    options.onFault(fault, upstream, method);
    return outcome;
  });
}

function originalOf(said: Said | undefined): Buffer | undefined {
  if (said === undefined) return undefined;
  if (said.type === 'message') return said.bytes;
  return said.type === 'http' ? said.body : said.original;
}
