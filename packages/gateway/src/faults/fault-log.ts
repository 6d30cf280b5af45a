/** The last failures, for the operator. */
import { type Fault, toDocument } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { STANDARD } from '../call/redaction.ts';
import { toRead, toTell } from '../clean-cut.ts';

/** One failure as an operator sees it. Everything in it is redacted. */
export interface FaultEntry {
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly upstream: string;
  readonly method: string;
  /** The tool, the prompt or the resource that was asked for. */
  readonly target: string | null;
  /** The name of the caller's key. */
  readonly caller: string | null;
  readonly fault: ReturnType<typeof toDocument>;
  /** The dialect it was said in, and the one it was passed on in. */
  readonly from: string | null;
  readonly to: string;
  readonly certainty: number;
  readonly attempts: number;
  readonly durationMs: number;
  /** What the upstream said, as text. */
  readonly original: string;
}

/** A failure as it is put in the log; the fault is redacted already, the original is not. */
export interface FaultRecord extends Omit<FaultEntry, 'fault' | 'original'> {
  readonly fault: Fault;
  readonly original: Buffer | undefined;
}

/** As it is kept. Bytes as letters: they are copied with next to no cost. */
interface KeptRecord extends Omit<FaultRecord, 'original'> {
  readonly original: string | undefined;
}

/** Keeps the last failures. */
export interface FaultLog {
  add(record: FaultRecord): void;
  /** The last ones that fit, newest first. */
  list(limit?: number, fits?: (entry: FaultEntry) => boolean): readonly FaultEntry[];
  /** Failures since the start. */
  readonly total: number;
  /** As many of them are kept. */
  readonly keep: number;
  /**
   * Those that came after so many, the oldest first and as many as asked for, and how many there were with the last of them.
   * What is not kept any more is passed over.
   */
  after(place: number, limit: number): { readonly entries: readonly FaultEntry[]; readonly place: number };
  /** Keeps another number of them from now on. */
  resize(keep: number): void;
}

/** Of an original, this much is shown. */
const MAX_ORIGINAL = 4096;
const MAX_MESSAGE = 2000;
const MAX_WORD = 200;
const MAX_ISSUES = 20;

/**
 * A log of the last `keep` failures in memory. What is kept is the clipped original; it is redacted on the way
 * out, because most failures are never looked at, and nothing else can reach it. `onAdd` hears of all of them.
 */
export function createFaultLog(size: number, onAdd?: (record: FaultRecord) => void): FaultLog {
  let records: KeptRecord[] = [];
  let keep = size;
  let next = 0;
  let total = 0;
  const oldestFirst = (): KeptRecord[] => [...records.slice(next), ...records.slice(0, next)];
  return {
    resize(wanted) {
      records = wanted === 0 ? [] : oldestFirst().slice(-wanted);
      keep = wanted;
      next = keep === 0 ? 0 : records.length % keep;
    },
    add(record) {
      total++;
      onAdd?.(record);
      if (keep === 0) return;
      const { original } = record;
      // Member by member: a failing call is the dearest there is, and all of them come here.
      records[next] = {
        at: record.at,
        upstream: record.upstream,
        method: record.method.slice(0, MAX_WORD),
        target: record.target,
        caller: record.caller,
        from: record.from,
        to: record.to,
        certainty: record.certainty,
        attempts: record.attempts,
        durationMs: record.durationMs,
        fault: clipped(record.fault, original?.length ?? Number.POSITIVE_INFINITY),
        original: original?.toString('latin1', 0, toRead(original.length, MAX_ORIGINAL)),
      };
      next = (next + 1) % keep;
    },
    list(limit = 100, fits = () => true) {
      const found: FaultEntry[] = [];
      for (const record of oldestFirst().reverse()) {
        if (found.length === limit) break;
        const entry = toEntry(record);
        if (fits(entry)) found.push(entry);
      }
      return found;
    },
    after(place, limit) {
      const kept = oldestFirst();
      const gone = total - kept.length;
      const from = Math.max(place - gone, 0);
      const entries = kept.slice(from, from + limit).map(toEntry);
      return { entries, place: gone + from + entries.length };
    },
    get total() {
      return total;
    },
    get keep() {
      return keep;
    },
  };
}

/** A fault as it is kept: what a server said at length is in its answer, not in every memory of it. */
function clipped(fault: Fault, originalBytes: number): Fault {
  // What the server did not say at length is not long here either.
  if (originalBytes <= MAX_ORIGINAL && fault.message.length <= MAX_MESSAGE) return fault;
  const { native: _native, details, ...rest } = fault;
  const isSmall = details !== undefined && JSON.stringify(details).length <= MAX_ORIGINAL;
  return {
    ...rest,
    message: fault.message.slice(0, MAX_MESSAGE),
    issues: fault.issues.slice(0, MAX_ISSUES).map((issue) => ({
      ...issue,
      path: issue.path.slice(0, MAX_ISSUES),
      message: issue.message.slice(0, MAX_WORD),
    })),
    ...(isSmall ? { details } : {}),
    ...(fault.advice === undefined ? {} : { advice: fault.advice.slice(0, MAX_MESSAGE) }),
  };
}

function toEntry(record: KeptRecord): FaultEntry {
  const { native: _native, ...fault } = record.fault;
  return { ...record, fault: toDocument(fault), original: shownOriginal(record.original) };
}

function shownOriginal(kept: string | undefined): string {
  if (kept === undefined) return '';
  const text = Buffer.from(kept, 'latin1').toString('utf8');
  return toTell(redact(withoutCutSecrets(text)).value, kept.length, MAX_ORIGINAL);
}

const BLOCK = /"type"\s{0,4}:\s{0,4}"text"/g;

const BYTES = /("(?:blob|data)"\s{0,4}:\s{0,4}")[\w+/=\\-]{16,}(?:"|$)/g;

/**
 * Blocks of one result are read together: a secret may go over the cut between two of them. Bytes are read as what they are,
 * and not told where they cannot be.
 */
function withoutCutSecrets(text: string): string {
  if ((text.match(BLOCK)?.length ?? 0) < 2 && text.search(BYTES) < 0) return text;
  try {
    const said: unknown = JSON.parse(text);
    const safe = STANDARD.clean(said);
    return safe === said ? text : JSON.stringify(safe);
  } catch {
    return text.replace(BYTES, '$1[bytes]"'); // no message of JSON-RPC, or not all of one
  }
}
