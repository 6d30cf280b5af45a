/** Hooks that give something else than they should: the work was done, so nobody says that it was not. */
import { FaultError, makeFault } from '@mayday/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createUpstream } from './upstream.ts';
import { withRetries } from './with-retries.ts';

const strays: unknown[] = [];
const note = (reason: unknown): void => void strays.push(reason);

beforeEach(() => {
  strays.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => void process.off('unhandledRejection', note));

async function failing(options: object, work: () => Promise<unknown>) {
  let worked = 0;
  const counted = (): Promise<unknown> => {
    worked += 1;
    return work();
  };
  const thrown: unknown = await withRetries(counted, { attempts: 2, baseMs: 1, ...options } as never).catch(
    (reason: unknown) => reason,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { worked, thrown, strays: [...strays] };
}

const reject = (): Promise<never> => Promise.reject(new Error('from the hook'));
const LIMITED = { kind: 'rate_limited', retryable: true, message: 'Slow', retry: { when: 'backoff' } };

it.each<[string, () => unknown]>([
  ['a promise of nothing', () => Promise.resolve(undefined)],
  ['a promise that rejects', reject],
  ['true', () => true],
  ['a text', () => 'bad'],
  ['an error', () => new Error('bad')],
  ['a fault that does not say it', () => LIMITED],
])('after a success, faultIn gives %s', async (_, faultIn) => {
  const { worked, thrown, strays: lost } = await failing({ faultIn }, async () => ({ paid: true }));
  expect(thrown).toBeInstanceOf(FaultError);
  expect(thrown).toMatchObject({ fault: { executed: 'maybe' } });
  expect([worked, lost]).toEqual([1, []]);
});

it.each<[string, object]>([
  ['faultInThrown', { faultInThrown: reject }],
  ['faultInThrown', { faultInThrown: () => undefined }],
  ['isAnswer', { isAnswer: reject }],
  ['asKnown', { asKnown: reject }],
  ['asKnown', { asKnown: () => undefined }],
  ['asKnown', { asKnown: () => ({}) }],
])('after a failure, %s gives something else', async (_, hooks) => {
  const {
    worked,
    thrown,
    strays: lost,
  } = await failing(hooks, () => Promise.reject(new Error('mail failed after the payment')));
  expect(thrown).toMatchObject({ fault: { executed: 'maybe' } });
  expect([worked, lost]).toEqual([1, []]);
});

it('believes a fault that says it', async () => {
  const fault = makeFault({ kind: 'unavailable', message: 'Closed', executed: 'no' });
  const { worked, thrown } = await failing({ faultIn: () => fault }, async () => 'x');
  expect(worked).toBe(2);
  expect(thrown).toMatchObject({ fault: { kind: 'unavailable', executed: 'no' } });
});

/** Writes on all that it is handed, as far as it reaches. */
function scribble(...given: readonly unknown[]): undefined {
  for (const one of given) {
    if (typeof one !== 'object' || one === null) continue;
    for (const inner of Object.values(one)) if (!(inner instanceof AbortSignal)) scribble(inner);
    Object.assign(one, {
      ...('executed' in one ? { executed: 'no', retryable: true, began: false, attempts: 0 } : {}),
      ...('upstream' in one ? { readOnly: true, repeatable: true, once: false } : {}),
      ...('rule' in one ? { retry: true, safe: true } : {}),
    });
  }
  return undefined;
}

it.each<[string, object]>([
  ['retryIf', { retryIf: scribble }],
  ['onFault', { onFault: scribble }],
  ['recover', { recover: async (...given: unknown[]) => scribble(...given) ?? false }],
])('%s that writes on what it is handed makes nothing safe', async (_, hooks) => {
  const { worked, thrown } = await failing(hooks, () =>
    Promise.reject(Object.assign(new Error('x'), { status: 503 })),
  );
  expect(thrown).toMatchObject({ fault: { executed: 'maybe' } });
  expect(worked).toBe(1);
});

it('nor does a listener of the upstream', async () => {
  const upstream = createUpstream({ onEvent: scribble });
  const { worked, thrown } = await failing({ upstream }, () =>
    Promise.reject(Object.assign(new Error('x'), { status: 503 })),
  );
  expect(thrown).toMatchObject({ fault: { executed: 'maybe' } });
  expect(worked).toBe(1);
});
