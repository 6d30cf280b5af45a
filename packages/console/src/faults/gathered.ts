/** Failures that have come in, the newest first, each once, and no more than a page can show. */
import type { FaultDocument, FaultMemory } from '../api/documents.ts';

/** As many are kept, unless somebody asks for older ones. */
const MOST = 1000;

/** What has come in. What is shown has no gaps: older ones can always be asked for behind its last. */
export interface Gathered {
  readonly shown: readonly FaultDocument[];
  /** What came while the list is held still; no more than a page can show. */
  readonly held: { readonly faults: readonly FaultDocument[]; readonly came: number } | undefined;
  /** Whether the journal may have more than is shown. */
  readonly hasOlder: boolean;
  /** Where there is no journal, what is gone from the list is gone. */
  readonly hasJournal: boolean;
}

/** What there is at first. */
export function begun(
  faults: readonly FaultDocument[],
  more: Pick<Gathered, 'hasOlder' | 'hasJournal'>,
): Gathered {
  return { shown: faults, held: undefined, ...more };
}

/** Takes newer ones, the oldest first. */
export function withNewer(gathered: Gathered, newer: readonly FaultDocument[]): Gathered {
  const { shown, held } = gathered;
  const known = new Set([...shown, ...(held?.faults ?? [])].map(({ id }) => id));
  const fresh = newer.filter(({ id }) => !known.has(id)).reverse();
  if (fresh.length === 0) return gathered;
  if (held === undefined) return putBefore(gathered, fresh);
  const faults = [...fresh, ...held.faults].slice(0, MOST);
  return { ...gathered, held: { faults, came: held.came + fresh.length } };
}

/** Nothing that somebody has asked for is taken away for one that comes in, but for as many as come. */
function putBefore(gathered: Gathered, fresh: readonly FaultDocument[]): Gathered {
  const { shown, hasOlder, hasJournal } = gathered;
  const all = [...fresh, ...shown];
  const kept = all.slice(0, Math.max(MOST, shown.length));
  return { ...gathered, shown: kept, hasOlder: hasOlder || (hasJournal && kept.length < all.length) };
}

/** Puts older ones, the newest first, behind those that are shown, held still or not. */
export function withOlder(gathered: Gathered, older: readonly FaultDocument[], hasOlder: boolean): Gathered {
  const known = new Set(gathered.shown.map(({ id }) => id));
  const shown = [...gathered.shown, ...older.filter(({ id }) => !known.has(id))];
  return { ...gathered, shown, hasOlder };
}

/** Holds the list still. */
export function hold(gathered: Gathered): Gathered {
  return { ...gathered, held: gathered.held ?? { faults: [], came: 0 } };
}

/** Goes on: with all that came, or with the newest of it where that is more than a page can show. */
export function goOn(gathered: Gathered): Gathered {
  const { held, hasOlder, hasJournal } = gathered;
  if (held === undefined) return gathered;
  const { faults, came } = held;
  if (came > faults.length)
    return { ...gathered, held: undefined, shown: faults, hasOlder: hasOlder || hasJournal };
  return putBefore({ ...gathered, held: undefined }, faults);
}

/** A failure in the gateway's memory, as the journal would have it. */
export function fromMemory(memory: FaultMemory): FaultDocument {
  const { at, upstream, fault, original: _, ...call } = memory;
  return {
    id: `${at}-${upstream}-${call.target ?? ''}-${Math.round(call.durationMs * 1000)}`,
    at: new Date(at).toISOString(),
    kind: fault.kind,
    origin: fault.origin,
    upstream,
    message: fault.message,
    details: { ...call, executed: fault.executed, correlation_id: fault.correlation_id ?? null },
  };
}

/** The one of some memories that is this failure; the nearest in time, where several are alike. */
export function memoryOf(
  { at, message, details }: FaultDocument,
  memories: readonly FaultMemory[],
): FaultMemory | undefined {
  const time = Date.parse(at);
  return memories
    .filter(({ fault, target }) => fault.message.startsWith(message) && target === (details?.target ?? null))
    .sort((a, b) => Math.abs(a.at - time) - Math.abs(b.at - time))[0];
}
