/** Failures on their way to the store: in batches, behind the calls, and never more than fit. */
import { randomUUID } from 'node:crypto';
import { fieldsIn } from '@mayday/core/render';
import type { JournalFault, Store } from '@mayday/store';
import { within } from '../within.ts';
import { faultFingerprint, ruledFingerprint } from './fault-fingerprint.ts';
import type { FaultRecord } from './fault-log.ts';
import { type GroupRules, ruleFor } from './group-rules.ts';

/** Takes failures and keeps nobody waiting. */
export interface FaultJournal {
  /** Groups it by these rules, where one of them fits. */
  add(record: FaultRecord, rules?: GroupRules): void;
  /** Writes what is left, as far as the store takes it in this time. */
  close(waitMs: number): Promise<void>;
}

/** So long failures are collected. */
const COLLECT_MS = 250;
/** As many as are written without holding up the calls of this process. */
const BATCH = 100;
/** Beyond, the oldest are given up: a store that is down must not fill the memory. */
const MAX_WAITING = 10_000;
const MAX_MESSAGE = 2000;

/** A fault, and when it happened by a clock that nobody sets. */
interface Waiting {
  readonly fault: JournalFault;
  readonly since: number;
}

/** A journal over a store; `note` tells the operator what it could not keep. */
export function createFaultJournal(faults: Store['faults'], note: (line: string) => void): FaultJournal {
  const waiting: Waiting[] = [];
  /** What is being written. It stays together: the store may have taken it and not have been able to say so. */
  let batch: { readonly name: string; readonly parts: readonly Waiting[] } | undefined;
  let lost = 0;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (batch !== undefined || waiting.length > 0) {
      batch ??= { name: randomUUID(), parts: waiting.splice(0, BATCH) };
      const now = performance.now();
      const dated = batch.parts.map(({ fault, since }) => ({ ...fault, agoMs: now - since }));
      await faults.append(dated, batch.name);
      batch = undefined;
      await new Promise(setImmediate);
    }
    if (lost > 0) note(`store: ${lost} faults were not journalled`);
    lost = 0;
  }

  /** One that fails is followed by others: what could not be written waits for its turn. */
  const flush = (): Promise<void> => {
    writing ??= write()
      .catch(() => undefined)
      .finally(() => {
        writing = undefined;
      });
    return writing;
  };
  const timer = setInterval(() => void flush(), COLLECT_MS).unref();
  const left = (): number => waiting.length + (batch?.parts.length ?? 0);

  return {
    add(record, rules) {
      waiting.push({ fault: entryOf(record, rules), since: performance.now() });
      if (left() <= MAX_WAITING) return;
      waiting.shift();
      lost += 1;
    },
    async close(waitMs) {
      clearInterval(timer);
      const last = flush().then(flush); // what came while the last batch was written
      await within(last, waitMs);
      if (left() > 0) note(`store: ${left() + lost} faults were not journalled`);
    },
  };
}

function entryOf(
  { fault, upstream, original: _, ...call }: FaultRecord,
  rules: GroupRules = [],
): JournalFault {
  const { at: _at, ...details } = call;
  const { executed, correlationId } = fault;
  const of = { upstream, target: call.target, caller: call.caller };
  const rule = ruleFor(fault, of, rules);
  return {
    fingerprint: rule === undefined ? faultFingerprint(fault, of) : ruledFingerprint(rule, fault, of),
    kind: fault.kind,
    origin: fault.origin,
    upstream,
    message: fault.message.slice(0, MAX_MESSAGE),
    details: {
      ...details,
      executed,
      correlation_id: correlationId ?? null,
      ...(fault.issues.length === 0 ? {} : { fields: fieldsIn(fault) }),
      ...(rule === undefined ? {} : { rule: rule.name }),
    },
  };
}
