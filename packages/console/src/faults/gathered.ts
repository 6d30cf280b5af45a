/** Failures that have come in, the newest first, each once, and no more than a page can show. */
import type { FaultDocument, FaultMemory } from '../api/documents.ts';

/** As many are kept. */
const MOST = 1000;

/** Puts newer ones, the oldest first, before those there are. */
export function withNewer(
  faults: readonly FaultDocument[],
  newer: readonly FaultDocument[],
): readonly FaultDocument[] {
  const known = new Set(faults.map(({ id }) => id));
  const fresh = newer.filter(({ id }) => !known.has(id)).reverse();
  return fresh.length === 0 ? faults : [...fresh, ...faults].slice(0, MOST);
}

/** Puts older ones, the newest first, behind those there are. */
export function withOlder(
  faults: readonly FaultDocument[],
  older: readonly FaultDocument[],
): readonly FaultDocument[] {
  const known = new Set(faults.map(({ id }) => id));
  return [...faults, ...older.filter(({ id }) => !known.has(id))];
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
