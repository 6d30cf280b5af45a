/** The fault journal in memory. */
import type { FaultGroup, Faults, GroupsQuery, JournalEntry, JournalFault } from '../ports.ts';
import { type Limits, MINUTE_MS, numberedPlace, pageSize } from '../settings.ts';
import { packed } from '../text.ts';
import type { Now } from './memory.ts';

interface Group {
  summary: FaultGroup;
  /** By minute, the oldest first. */
  readonly minutes: Map<number, number>;
}

/** A fault journal in memory. */
export function memoryFaults(now: Now, limits: Limits): Faults {
  return new Journal(now, limits);
}

class Journal implements Faults {
  readonly #now: Now;
  readonly #limits: Limits;
  #entries: JournalEntry[] = [];
  #seq = 0;
  /** The last seen is the last. */
  readonly #groups = new Map<string, Group>();

  constructor(now: Now, limits: Limits) {
    this.#now = now;
    this.#limits = limits;
  }

  async append(faults: readonly JournalFault[]): Promise<void> {
    const now = this.#now();
    this.#prune(now);
    for (const { agoMs = 0, ...fault } of faults) {
      const at = now - agoMs;
      this.#seq += 1;
      this.#entries.push({ ...JSON.parse(packed(fault)), id: String(this.#seq), at });
      this.#count(fault, at);
    }
    // Only now and then, so that it costs little.
    const { maxFaults } = this.#limits;
    if (this.#entries.length > maxFaults * 1.1 + 10) this.#entries = this.#entries.slice(-maxFaults);
    for (const fingerprint of this.#groups.keys()) {
      if (this.#groups.size <= maxFaults) break;
      this.#groups.delete(fingerprint);
    }
  }

  async list({
    fingerprint,
    after,
    before,
    limit,
  }: Parameters<Faults['list']>[0] = {}): Promise<readonly JournalEntry[]> {
    const oldest = this.#now() - this.#limits.faultAgeMs;
    const count = pageSize(limit);
    const end = before === undefined ? Number.POSITIVE_INFINITY : numberedPlace(before);
    const kept = this.#entries
      .slice(-this.#limits.maxFaults)
      .filter((entry) => entry.at > oldest && (fingerprint ?? entry.fingerprint) === entry.fingerprint)
      .filter(({ id }) => Number(id) < end);
    if (after === undefined) return kept.slice(-count).reverse();
    const start = numberedPlace(after);
    return kept.filter(({ id }) => Number(id) > start).slice(0, count);
  }

  async groups({ fingerprint, limit }: GroupsQuery = {}): Promise<readonly FaultGroup[]> {
    this.#prune(this.#now());
    const named = fingerprint === undefined ? undefined : this.#groups.get(fingerprint);
    if (fingerprint !== undefined) return named === undefined ? [] : [named.summary];
    return [...this.#groups.values()]
      .slice(-pageSize(limit))
      .reverse()
      .map(({ summary }) => summary);
  }

  async counts({ fingerprint, from, to }: Parameters<Faults['counts']>[0]): ReturnType<Faults['counts']> {
    this.#now();
    const minutes = this.#groups.get(fingerprint)?.minutes ?? [];
    return [...minutes]
      .filter(([minute]) => minute >= Math.floor(from / MINUTE_MS) && minute <= Math.floor(to / MINUTE_MS))
      .map(([minute, count]) => ({ at: minute * MINUTE_MS, count }));
  }

  #count({ fingerprint, kind, origin, upstream, message }: JournalFault, at: number): void {
    const known = this.#groups.get(fingerprint);
    const { minutes = new Map<number, number>(), summary } = known ?? {};
    const minute = Math.floor(at / MINUTE_MS);
    for (const old of minutes.keys()) {
      if (old >= minute - this.#limits.faultAgeMs / MINUTE_MS) break;
      minutes.delete(old);
    }
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    const count = (summary?.count ?? 0) + 1;
    const firstSeen = Math.min(summary?.firstSeen ?? at, at);
    const lastSeen = Math.max(summary?.lastSeen ?? at, at);
    const said = { fingerprint, kind, origin, upstream, message, count, firstSeen, lastSeen };
    this.#groups.delete(fingerprint);
    this.#groups.set(fingerprint, { summary: said, minutes });
  }

  #prune(now: number): void {
    const oldest = now - this.#limits.faultAgeMs;
    for (const [fingerprint, { summary }] of this.#groups) {
      if (summary.lastSeen > oldest) return;
      this.#groups.delete(fingerprint);
    }
  }
}
