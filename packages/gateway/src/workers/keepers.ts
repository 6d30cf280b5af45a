/**
 * Which worker has what callers without a session share at an endpoint: whoever has it keeps it for as long as it lives. Who
 * comes later hears of that, and takes nothing from anybody.
 */
import { createHash } from 'node:crypto';
import type { Crew } from './crew.ts';
import type { Keeping, Learned, LivingWorker } from './messages.ts';

/** What one worker knows of that. */
export interface Keepers {
  /** The worker that has it; one that shall have it from now on, where none has. Nobody, where no worker is known yet. */
  of(name: string): number | undefined;
  /** Hears what another worker has learned. False: it is about something else. */
  hear(learned: Learned): learned is Keeping;
}

/** Nothing is known yet. */
export function createKeepers({ living, tell }: Pick<Crew, 'living' | 'tell'>): Keepers {
  const known = new Map<string, number>(); // by their process ids: whoever takes the place of one has nothing of it
  const find = (pid: number | undefined): LivingWorker | undefined => living().find((one) => one.pid === pid);
  const say = (name: string, { pid }: LivingWorker): void => {
    known.set(name, pid);
    tell({ keeper: name, pid });
  };
  return {
    of(name) {
      const before = find(known.get(name));
      if (before !== undefined) return before.worker;
      const all = living();
      const worker = keeperOf(
        name,
        all.map((one) => one.worker),
      );
      const next = all.find((one) => one.worker === worker);
      if (next !== undefined) say(name, next);
      return worker;
    },
    hear(learned): learned is Keeping {
      if (!('keeper' in learned)) return false;
      const { keeper: name, pid } = learned;
      const before = find(known.get(name));
      const said = find(pid);
      // Two were named at once: the older one has it, and whoever thinks otherwise is told.
      if (before === undefined || (said !== undefined && isOlder(said, before))) known.set(name, pid);
      else if (said !== undefined && said !== before) say(name, before);
      return true;
    },
  };
}

function isOlder(a: LivingWorker, b: LivingWorker): boolean {
  if (a.started_at !== b.started_at) return a.started_at < b.started_at;
  return a.worker < b.worker;
}

/** The one of these workers that should have what an endpoint shares, where none has it yet: the same for all who ask. */
function keeperOf(name: string, workers: readonly number[]): number | undefined {
  const weigh = (worker: number): string => createHash('sha1').update(`${worker} ${name}`).digest('hex');
  return workers.length < 2 ? workers[0] : workers.reduce((a, b) => (weigh(a) > weigh(b) ? a : b));
}
