/** Which failures are shown. */
import type { FaultDocument } from '../api/documents.ts';

/** What was chosen; what is empty fits everything. */
export interface Filter {
  readonly upstream: string;
  readonly kind: string;
  /** Words in the tool, the message, the caller or the correlation id. */
  readonly words: string;
}

/** Nothing is left out. */
export const NO_FILTER: Filter = { upstream: '', kind: '', words: '' };

/** Does a failure fit? */
export function fits({ upstream, kind, message, details }: FaultDocument, filter: Filter): boolean {
  if (filter.upstream !== '' && filter.upstream !== upstream) return false;
  if (filter.kind !== '' && filter.kind !== kind) return false;
  const texts = [message, details?.target, details?.caller, details?.correlation_id];
  const whole = texts
    .filter((text) => typeof text === 'string')
    .join('\n')
    .toLowerCase();
  return filter.words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

/** The values that occur, sorted, for a list to choose from. */
export function valuesOf(faults: readonly FaultDocument[], member: 'upstream' | 'kind'): readonly string[] {
  return [...new Set(faults.map((fault) => fault[member] ?? ''))].filter((value) => value !== '').sort();
}
