/** Rate limits in a file, exact. What is asked in one turn is counted in one go: each limit is read once, and written once. */
import { costOf, type RateLedger, type RateStanding, type RateWish } from '@mayday/policy';
import { packed } from '../text.ts';
import type { Connection } from './database.ts';
import { nowAndThen } from './now-and-then.ts';
import { patient } from './patient.ts';
import { countOf, type RateCount } from './rate-counts.ts';
import type { Access } from './sqlite.ts';

/** Quiet keys that are looked for, for each that is asked for: more go than come. */
const SWEPT = 2;

/** Those who ask in one turn, and what they are told, in their order. */
interface Turn {
  readonly asked: (readonly RateWish[])[];
  readonly told: Promise<readonly (readonly RateStanding[])[]>;
}

/** Rate limits in a file. */
export function sqliteRates({ db, now }: Access): RateLedger {
  let turn: Turn | undefined;
  const sweepFor = nowAndThen((at, asked) => sweep(db, at, SWEPT * asked));

  /** Whoever finds the file held asks again, all of a turn together. */
  const { askAll } = patient({
    askAll: (asked: Turn['asked'], over: () => void): Turn['told'] => {
      const told = db.together(() => {
        over();
        const at = now();
        sweepFor(
          at,
          asked.reduce((sum, { length }) => sum + length, 0),
        );
        return takeInTurn(db, asked, at);
      });
      told.catch(over); // nobody was asked, and nobody joins those who wait
      return told;
    },
  });

  function begin(): Turn {
    const asked: (readonly RateWish[])[] = [];
    const mine: Turn = {
      asked,
      told: askAll(asked, () => {
        if (turn === mine) turn = undefined;
      }),
    };
    return mine;
  }

  const takeAll = (wishes: readonly RateWish[]): Promise<readonly RateStanding[]> => {
    wishes.forEach(costOf); // a mistake is nobody else's
    turn ??= begin();
    const place = turn.asked.push(wishes) - 1;
    return turn.told.then((all) => all[place] as readonly RateStanding[]);
  };
  return { take: async (wish) => (await takeAll([wish]))[0]?.waitMs ?? 0, takeAll };
}

function takeInTurn(
  db: Connection,
  asked: readonly (readonly RateWish[])[],
  now: number,
): readonly (readonly RateStanding[])[] {
  // The two ways to count keep different things, and so do different keys.
  const counts = { window: new Map<string, RateCount>(), bucket: new Map<string, RateCount>() };
  const find = ({ key, windowMs, algorithm = 'window' }: RateWish): RateCount => {
    const known = counts[algorithm].get(key);
    if (known?.windowMs === windowMs) return known;
    known?.write(); // somebody counts the same over another time
    const count = countOf(db, { key: packed([algorithm, key]), now, windowMs, algorithm });
    counts[algorithm].set(key, count);
    return count;
  };
  const told = asked.map((wishes) => takeEach(wishes.map((wish) => [wish, find(wish)])));
  for (const each of [counts.window, counts.bucket]) for (const count of each.values()) count.write();
  return told;
}

/** All of them, or none. */
function takeEach(wanted: readonly (readonly [RateWish, RateCount])[]): readonly RateStanding[] {
  const waits = wanted.map(([wish, count]) => count.waitFor(wish.limit, costOf(wish)));
  const fits = waits.every((waitMs) => waitMs === 0);
  return wanted.map(([wish, count], i) => {
    if (fits) count.add(wish.limit, costOf(wish));
    return { waitMs: waits[i] as number, ...count.level(wish.limit) };
  });
}

function sweep(db: Connection, now: number, most: number): void {
  for (const { key } of db.all('SELECT key FROM rates WHERE quiet_at <= ? LIMIT ?', now, most)) {
    db.run('DELETE FROM rate_log WHERE key = ?', key as string);
    db.run('DELETE FROM rates WHERE key = ?', key as string);
  }
}
