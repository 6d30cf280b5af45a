/** Connections on their way to workers: each is held until its worker has it, so that none is lost with a worker. */
import type { Socket } from 'node:net';
import type { DoorName } from './messages.ts';

/** Somebody who takes connections. */
export interface Taker {
  readonly number: number;
  /** Sends it, and keeps it open here. */
  hand(id: number, door: DoorName, connection: Socket): void;
}

/** Hands connections to workers in turns. */
export interface Handing {
  take(connection: Socket, door: DoorName): void;
  /** A worker has it. */
  taken(id: number): void;
  /** A worker was told of it, and did not get it. */
  missed(id: number): void;
  /** A worker is gone, or somebody is there again: what nobody has is handed out. */
  again(gone?: number): void;
  /** Nobody gets those that wait. */
  close(): void;
}

/** What waits for a worker to come; whoever has one gets it. Beyond, or for longer, nobody waits on the other side either. */
const MAX_WAITING = 1024;
const MAX_WAIT_MS = 10_000;
/**
 * A worker that has no files left gets none of what it is handed, and hears nothing of it either. One that only hangs is ended
 * before this, and what it had not taken goes to others.
 */
const NO_WORD_MS = 45_000;

interface Held {
  readonly connection: Socket;
  readonly door: DoorName;
  /** Whom it was handed to. */
  to: number | undefined;
  /** Ends its wait for somebody to come. */
  late: NodeJS.Timeout | undefined;
  /** Ends the wait for the word of whom it was handed to. */
  unheard: NodeJS.Timeout | undefined;
}

/** Nobody has come yet. */
export function createHanding(takers: () => readonly Taker[], random: () => number = Math.random): Handing {
  const held = new Map<number, Held>();
  let lastId = 0;
  let round: Taker[] = [];
  let waiting = 0;

  function hand(id: number, one: Held): void {
    const taker = next();
    one.to = taker?.number;
    if (taker === undefined) wait(id, one);
    else {
      stopWaiting(one);
      one.unheard ??= setTimeout(() => letGo(id), NO_WORD_MS).unref();
      taker.hand(id, one.door, one.connection);
    }
  }

  /**
   * Each has its turn, in another order every round: clients with a connection for each request open their sessions with
   * every second, and would all be with the same worker.
   */
  function next(): Taker | undefined {
    const all = takers();
    round = round.filter(({ number }) => all.some((one) => one.number === number));
    if (round.length === 0) round = shuffled(all, random);
    const { number } = round.shift() ?? {};
    return all.find((one) => one.number === number);
  }

  function wait(id: number, one: Held): void {
    if (one.late !== undefined) return;
    if (waiting >= MAX_WAITING) letGo(id);
    else {
      waiting += 1;
      one.late = setTimeout(() => letGo(id), MAX_WAIT_MS).unref();
    }
  }

  function stopWaiting(one: Held): void {
    if (one.late !== undefined) waiting -= 1;
    clearTimeout(one.late);
    one.late = undefined;
  }

  /** The process lets go of it. A worker that has it goes on with it. */
  function letGo(id: number): void {
    const one = held.get(id);
    if (one === undefined) return;
    stopWaiting(one);
    clearTimeout(one.unheard);
    one.connection.destroy();
    held.delete(id);
  }

  return {
    take(connection, door) {
      connection.on('error', () => undefined); // whoever is gone is found out by its worker
      lastId += 1;
      const one: Held = { connection, door, to: undefined, late: undefined, unheard: undefined };
      held.set(lastId, one);
      hand(lastId, one);
    },
    taken: letGo,
    missed(id) {
      const one = held.get(id);
      if (one === undefined) return;
      if (one.connection.destroyed) letGo(id);
      else hand(id, one);
    },
    again(gone) {
      for (const [id, one] of [...held]) if (one.to === undefined || one.to === gone) hand(id, one);
    },
    close() {
      for (const id of [...held.keys()]) letGo(id);
    },
  };
}

function shuffled(all: readonly Taker[], random: () => number): Taker[] {
  return all
    .map((taker) => ({ taker, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ taker }) => taker);
}
