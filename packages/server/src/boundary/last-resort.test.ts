import { fault, makeFault } from '@mayday/core';
import { CAUTION } from '@mayday/core/render';
import { finalUnderKey } from '@mayday/policy';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lastFailure, lastFault, lastMessage } from './last-resort.ts';
import { keyOf } from './once.ts';
import { patient } from './patient-store.ts';
import { noteHeld, noteRefusal, watchingRequest } from './refused-requests.ts';
import { isTaskHandler } from './tasks.ts';

const BUG = new Error('bug');
const warned: Error[] = [];
const listen = (warning: Error): void => void warned.push(warning);

beforeEach(() => {
  warned.length = 0;
  process.on('warning', listen);
});
afterEach(() => void process.off('warning', listen));

async function warnings(): Promise<string[]> {
  await new Promise((resolve) => setImmediate(resolve));
  return warned.map(({ name, message }) => `${name}: ${message}`);
}

describe('when our own code fails', () => {
  it('the failure is internal, and happened at most as far as the work began', () => {
    expect(lastFailure(BUG, true)).toMatchObject({
      began: true,
      masked: true,
      ours: true,
      thrown: { fault: { kind: 'internal', executed: 'maybe' } },
    });
    expect(lastFailure(BUG, false).thrown.fault.executed).toBe('no');
  });

  it('the fault keeps its kind, and says no more of what happened than is certain', async () => {
    const told = (thrown: unknown, began: boolean) => {
      const { kind, retryable, executed, correlationId } = lastFault({ thrown, began } as never, BUG);
      expect(correlationId).toMatch(/^[0-9a-f-]{36}$/);
      return [kind, retryable, executed];
    };
    const refused = fault.unavailable('x', { executed: 'no' });
    expect(told(refused, false)).toEqual(['unavailable', false, 'no']);
    expect(told(refused, true)).toEqual(['unavailable', false, 'maybe']);
    expect(told(fault.invalidOutput('x'), true)).toEqual(['invalid_output', false, 'yes']);
    expect(told('odd', false)).toEqual(['internal', false, 'maybe']);
    const said = (await warnings()).map((warning) => warning.split('\n')[0]);
    expect(new Set(said)).toEqual(new Set(['MaydayWarning: a fault could not be told: Error: bug']));
  });

  it('the answer is a tool’s result, or an error, and can always be sent', () => {
    const late = makeFault({ kind: 'timeout', message: 'Late', executed: 'maybe' });
    const answer = (more: object) =>
      lastMessage(
        late,
        { id: 7, method: 'tools/call', revision: '2025-11-25', message: {}, ...more } as never,
        BUG,
      );
    const document = expect.objectContaining({ kind: 'timeout', message: 'Late' });
    expect(answer({})).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        content: [{ type: 'text', text: expect.stringContaining('Late') }],
        isError: true,
        _meta: { 'dev.mayday/fault': document },
      },
    });
    expect(answer({ revision: '2026-07-28' }).result).toMatchObject({ resultType: 'complete' });
    const error = { code: -32603, message: 'Late', data: document };
    expect(answer({ method: 'ping' })).toEqual({ jsonrpc: '2.0', id: 7, error });
    expect(answer({ message: { params: { task: {} } } })).toEqual({ jsonrpc: '2.0', id: 7, error });
    expect(answer({ id: undefined, method: 'ping' })).toEqual({ jsonrpc: '2.0', error });
  });

  it('a bug that cannot even be printed costs nobody the answer', () => {
    const hostile = {
      toString() {
        throw new Error('no');
      },
    };
    expect(lastFault({ thrown: 'odd', began: true } as never, hostile).kind).toBe('internal');
  });
});

describe('a failure that is kept under a key', () => {
  it('is final, and says to look first; what did nothing stays as it is', () => {
    const kept = finalUnderKey(makeFault({ kind: 'timeout', message: 'Late', executed: 'maybe' }));
    expect(kept).toMatchObject({
      kind: 'timeout',
      retryable: false,
      reaction: 'terminal',
      retry: { when: 'never' },
      advice: CAUTION,
    });
    const final = makeFault({ kind: 'internal', message: 'x', executed: 'maybe' });
    expect(finalUnderKey(final)).toMatchObject({ kind: 'internal', advice: CAUTION, retryable: false });
    const undone = makeFault({ kind: 'unavailable', message: 'x', executed: 'no' });
    expect(finalUnderKey(undone)).toBe(undone);
  });

  it('has the key that its call carries, unless the server or the tool has opted out', () => {
    const KEY = 'dev.mayday/idempotency-key';
    const of = (tool: object | undefined, idempotency?: false) =>
      keyOf(
        { tool, meta: (name: string) => (name === KEY ? 'k' : undefined) } as never,
        { idempotency } as never,
      );
    expect([of(undefined), of({}), of({ _meta: { [KEY]: true } })]).toEqual(['k', 'k', 'k']);
    expect([of({ _meta: { [KEY]: false } }), of({}, false)]).toEqual([undefined, undefined]);
  });
});

describe('a store of keys', () => {
  /** A store that answers when it is told to, and a clock that is moved by hand. */
  function slowStore() {
    const found = Promise.withResolvers<object>();
    const freed: string[] = [];
    const timers: { run: () => void; ms: number }[] = [];
    const cleared: unknown[] = [];
    const clock = {
      setTimeout: (run: () => void, ms: number) => timers.push({ run, ms }),
      clearTimeout: (timer: unknown) => void cleared.push(timer),
    };
    const store = {
      claim: () => found.promise,
      finish: () => 'finished',
      free: (key: string) => freed.push(key),
    };
    return { found, freed, timers, cleared, store: patient(store as never, clock as never) };
  }

  it('is waited for ten seconds; a key that it gives later is given back', async () => {
    const { found, freed, timers, cleared, store } = slowStore();
    const claim = store.claim({ key: 'k' } as never);
    expect(timers.map(({ ms }) => ms)).toEqual([10_000]);
    timers[0]?.run();
    await expect(claim).rejects.toThrow('The store of keys did not answer within 10000 ms');
    found.resolve({ state: 'claimed' });
    await new Promise((resolve) => setImmediate(resolve));
    expect([freed, cleared]).toEqual([['k'], [1]]);
    expect(store.finish({} as never)).toBe('finished');
  });

  it.each([{ state: 'claimed' }, { state: 'done' }])('that answers %j in time is believed', async (state) => {
    const { found, freed, cleared, store } = slowStore();
    found.resolve(state);
    expect(await store.claim({ key: 'k' } as never)).toEqual(state);
    expect([freed, cleared]).toEqual([[], [1]]);
  });

  it('that answers late with somebody else’s key leaves it; one that fails, fails', async () => {
    const { found, freed, timers, store } = slowStore();
    const claim = store.claim({ key: 'k' } as never);
    timers[0]?.run();
    await expect(claim).rejects.toThrow();
    found.resolve({ state: 'done' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(freed).toEqual([]);
    const failing = slowStore();
    failing.found.reject(new Error('down'));
    await expect(failing.store.claim({ key: 'k' } as never)).rejects.toThrow('down');
  });

  it('that answers at once needs no timer', () => {
    const store = patient({ claim: () => ({ state: 'claimed' }) } as never, {} as never);
    expect(store.claim({ key: 'k' } as never)).toEqual({ state: 'claimed' });
  });
});

describe('a request that guards refuse', () => {
  const refusal = (kind: 'unauthenticated' | 'forbidden') =>
    ({ failure: { thrown: { fault: makeFault({ kind }) } } }) as never;

  it('is known for want of authentication, also when they take their time', async () => {
    const refused = refusal('unauthenticated');
    expect(await watchingRequest(async () => noteRefusal(refused))).toEqual({
      handled: undefined,
      refused,
      guarded: false,
    });
    expect((await watchingRequest(async () => noteRefusal(refusal('forbidden')))).refused).toBeUndefined();
    const later = async () => {
      const held = new Promise((resolve) => setImmediate(resolve)).then(() => {
        noteRefusal(refused);
        throw new Error('refused');
      });
      noteHeld(held);
      return 'handled';
    };
    expect(await watchingRequest(later)).toEqual({ handled: 'handled', refused, guarded: false });
    expect(() => [noteRefusal(refused), noteHeld(Promise.resolve())]).not.toThrow();
  });
});

describe('a tool that answers with a task', () => {
  it.each([
    [{ createTask: () => 1 }, true],
    [{ createTask: 1 }, false],
    [() => 1, false],
    [null, false],
    [undefined, false],
  ])('%o: %j', (handler, is) => {
    expect(isTaskHandler(handler)).toBe(is);
  });
});
