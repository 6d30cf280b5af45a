/** What happened to the other targets of an upstream lately: it tells one dead tool from a dead server. */
import type { Kind } from '@mayday/core';
import type { Clock } from '../clock.ts';
import { setLast } from '../newest.ts';

/** The last outcomes of an upstream, by target. */
export interface Bystanders {
  /** `failure` is the kind of it; `undefined` for a sign of life. */
  record(target: string | undefined, failure: Kind | undefined): void;
  /** Do others than this one fail in the same way? `undefined` when nothing is known about others. */
  failToo(target: string | undefined, failure: Kind): boolean | undefined;
}

/** Outcomes that are kept of each target. */
const REMEMBERED = 3;
/** Names come from models, so there may be any number of them. */
const MAX_TARGETS = 50;
const TROUBLED = 0.3;
/** What happened longer ago says nothing about now. */
const RECENT_MS = 60_000;

interface Seen {
  readonly failure: Kind | undefined;
  readonly at: number;
}

/** Creates an empty record. */
export function createBystanders(clock: Clock): Bystanders {
  const byTarget = new Map<string | undefined, Seen[]>();
  let latest: Seen[] | undefined;
  return {
    record(target, failure) {
      const seen = byTarget.get(target) ?? [];
      if (seen.length >= REMEMBERED) seen.shift();
      seen.push({ failure, at: clock.now() });
      if (seen === latest) return;
      latest = seen;
      setLast(byTarget, target, seen, MAX_TARGETS);
    },
    failToo(target, failure) {
      const since = clock.now() - RECENT_MS;
      let others = 0;
      let alike = 0;
      for (const [other, seen] of byTarget) {
        if (other === target) continue;
        for (const one of seen) {
          if (one.at < since) continue;
          others += 1;
          if (one.failure === failure) alike += 1;
        }
      }
      return others === 0 ? undefined : alike / others >= TROUBLED;
    },
  };
}
