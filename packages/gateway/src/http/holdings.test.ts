import { describe, expect, it } from 'vitest';
import { createHoldings } from './holdings.ts';

const LIMIT = 1_000_000;
const ignore = (): void => {};

it('lets a caller hold so much and no more, and others as much', () => {
  const holdings = createHoldings();
  const first = holdings.take('anna', 900_000, LIMIT, ignore);
  expect(holdings.take('anna', 100_000, LIMIT, ignore)).toBeUndefined();
  expect(holdings.take('bert', 900_000, LIMIT, ignore)).toBeDefined();
  first?.resize(10);
  const second = holdings.take('anna', 900_000, LIMIT, ignore);
  expect(second).toBeDefined();
  first?.release();
  second?.release();
  second?.release();
  expect(holdings.take('anna', 900_000, LIMIT, ignore)).toBeDefined();
});

it('lets in one request that is larger than all of it', () => {
  expect(createHoldings().take('anna', 5 * LIMIT, LIMIT, ignore)).toBeDefined();
});

it('bounds how many small ones wait', () => {
  const holdings = createHoldings();
  const taken = Array.from({ length: 100 }, () => holdings.take('anna', 10, LIMIT, ignore));
  expect(taken.filter((holding) => holding !== undefined)).toHaveLength(60);
});

it('counts answers that are not read, and cuts the one that has waited longest', () => {
  const holdings = createHoldings();
  const cut: string[] = [];
  const take = (name: string) => holdings.take('anna', 10, LIMIT, () => cut.push(name));
  const [first, second, third] = [take('first'), take('second'), take('third')];
  first?.unread(500_000);
  second?.unread(400_000);
  expect(take('fourth')).toBeDefined();
  expect(cut).toEqual([]);
  third?.unread(300_000);
  expect(cut).toEqual(['first']);
  third?.unread(550_000);
  expect(cut).toEqual(['first']);
  expect(take('fifth')).toBeUndefined();
  second?.unread(0);
  expect(take('sixth')).toBeDefined();
});

it('gives one answer that is larger than all of it', () => {
  const cut: string[] = [];
  createHoldings()
    .take('anna', 10, LIMIT, () => cut.push('only'))
    ?.unread(5 * LIMIT);
  expect(cut).toEqual([]);
});

it('forgets what is released, whatever is said of it later', () => {
  const holdings = createHoldings();
  const first = holdings.take('anna', 10, LIMIT, ignore);
  first?.release();
  first?.unread(900_000);
  first?.resize(900_000);
  expect(holdings.take('anna', 900_000, LIMIT, ignore)).toBeDefined();
});

/** An answer on its way, and whether its server is held back. */
function coming(holding: ReturnType<ReturnType<typeof createHoldings>['take']>) {
  const state = { isPaused: false };
  const flow = {
    pause: () => {
      state.isPaused = true;
    },
    resume: () => {
      state.isPaused = false;
    },
  };
  return Object.assign(state, holding?.receive(flow));
}

it('counts what has come of answers, and holds back all but the oldest where there is no room', () => {
  const holdings = createHoldings();
  const take = () => holdings.take('anna', 10, LIMIT, ignore);
  const [one, two] = [take(), take()];
  const [first, second] = [coming(one), coming(two)];
  first.size?.(500_000);
  second.size?.(400_000);
  expect([first.isPaused, second.isPaused, take()]).toEqual([false, false, expect.anything()]);
  second.size?.(600_000);
  first.size?.(600_000);
  expect([first.isPaused, second.isPaused]).toEqual([false, true]);
  expect(take()).toBeUndefined();
  expect(holdings.take('bert', 10, LIMIT, ignore)).toBeDefined();
  // A whole answer that waits for its reader comes before one that is still to come.
  one?.unread(600_000);
  first.end?.();
  expect(second.isPaused).toBe(true);
  one?.release();
  expect(second.isPaused).toBe(false);
});

it('cuts nothing of a caller that reads, however much comes', () => {
  const holdings = createHoldings();
  const cut: string[] = [];
  const take = (name: string) => holdings.take('anna', 10, LIMIT, () => cut.push(name));
  const [one, two] = [take('one'), take('two')];
  const second = coming(two);
  second.size?.(900_000);
  one?.unread(900_000);
  expect(cut).toEqual([]);
  one?.release();
  second.end?.();
  two?.unread(900_000);
  expect(cut).toEqual([]);
});

it('counts nothing of an answer whose request is released', () => {
  const holdings = createHoldings();
  const one = holdings.take('anna', 10, LIMIT, ignore);
  const first = coming(one);
  first.size?.(900_000);
  one?.release();
  first.size?.(950_000);
  coming(one).size?.(900_000);
  expect(holdings.take('anna', 900_000, LIMIT, ignore)).toBeDefined();
});

describe('what stays beyond a request', () => {
  function keeper(holdings: ReturnType<typeof createHoldings>, caller = 'anna') {
    const holding = holdings.take(caller, 10, LIMIT, ignore);
    const keeping = holding?.keep();
    holding?.release();
    if (keeping === undefined) throw new Error('there is room');
    return keeping;
  }

  it('is counted until it ends, and has half of what its caller may hold', () => {
    const holdings = createHoldings();
    const [first, second] = [keeper(holdings), keeper(holdings)];
    expect([first.size(300_000), second.size(300_000)]).toEqual([true, false]);
    expect(keeper(holdings, 'bert').size(300_000)).toBe(true);
    expect([second.size(200_000), second.size(200_001), first.size(0), second.size(500_000)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    holdings.take('anna', 10, LIMIT, ignore);
    expect(holdings.take('anna', 480_000, LIMIT, ignore)).toBeUndefined();
    second.end();
    second.end();
    expect(second.size(900_000)).toBe(true);
    expect(holdings.take('anna', 480_000, LIMIT, ignore)).toBeDefined();
  });

  it('keeps no single request out, and is itself let in where it is the first', () => {
    const holdings = createHoldings();
    expect(keeper(holdings).size(2 * LIMIT)).toBe(true);
    expect(holdings.take('anna', 5 * LIMIT, LIMIT, ignore)).toBeDefined();
  });
});

describe('work that goes on', () => {
  it('holds what it works on until it ends, also when its caller has left', () => {
    const holdings = createHoldings();
    const first = holdings.take('anna', 900_000, LIMIT, ignore);
    const [one, other] = [first?.hold(), first?.hold()];
    first?.release();
    one?.();
    one?.();
    expect(holdings.take('anna', 900_000, LIMIT, ignore)).toBeUndefined();
    other?.();
    expect(holdings.take('anna', 900_000, LIMIT, ignore)).toBeDefined();
  });

  it('counts the answer that comes for it, and nothing that its caller does not read any more', () => {
    const holdings = createHoldings();
    const first = holdings.take('anna', 10, LIMIT, ignore);
    const end = first?.hold();
    first?.unread(500_000);
    first?.release();
    const receiving = first?.receive({ pause: ignore, resume: ignore });
    expect(holdings.take('anna', 900_000, LIMIT, ignore)).toBeDefined();
    receiving?.size(950_000);
    expect(holdings.take('anna', 10, LIMIT, ignore)).toBeUndefined();
    end?.();
    expect(holdings.take('anna', 10, LIMIT, ignore)).toBeDefined();
  });

  it('holds nothing once all of it is free', () => {
    const holdings = createHoldings();
    const first = holdings.take('anna', 900_000, LIMIT, ignore);
    first?.release();
    first?.hold();
    expect(holdings.take('anna', 900_000, LIMIT, ignore)).toBeDefined();
  });
});
