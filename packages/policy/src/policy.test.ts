import { describe, expect, it } from 'vitest';
import { concurrency } from './admission/concurrency.ts';
import { idempotency } from './admission/idempotency.ts';
import { type Call, startCall } from './call.ts';
import type { Outcome } from './outcome.ts';
import { after, type Passing, passing } from './passing.ts';
import { compose, type Policy } from './policy.ts';
import { sender } from './resilience/attempt.ts';
import { retry } from './resilience/retry.ts';

const call = startCall({ upstream: 'shop' });
const said = (words: string): Outcome<string> => ({ ok: true, value: words });
const adds = (letter: string): Policy<string> =>
  after((outcome) => (outcome.ok ? said(outcome.value + letter) : outcome));
const around =
  (letter: string): Policy<string> =>
  (next) =>
  async (asked) => {
    const outcome = await next(asked);
    return outcome.ok ? said(outcome.value + letter) : outcome;
  };

it('lets the innermost look first, however many stand in a row', async () => {
  const policies = [adds('f'), adds('e'), around('d'), adds('c'), around('b'), adds('a')];
  expect(await compose(policies, async () => said('x'))(call)).toEqual(said('xabcdef'));
});

it('is the same alone as in a row', async () => {
  expect(await adds('a')(async () => said('x'))(call)).toEqual(said('xa'));
});

it('waits for those who take a moment', async () => {
  const slow: Policy<string> = after(async (outcome) => (outcome.ok ? said(`${outcome.value}s`) : outcome));
  expect(await compose([adds('a'), slow, adds('b')], async () => said('x'))(call)).toEqual(said('xbsa'));
});

it('makes an outcome of whatever is thrown', async () => {
  const broken: Policy<string> = after(() => {
    throw new Error('boom');
  });
  expect(await compose([adds('a'), broken], async () => said('x'))(call)).toMatchObject({
    ok: false,
    fault: { kind: 'internal' },
  });
});

describe('what calls pass', () => {
  const named = (target: string) => startCall({ upstream: 'shop', target });
  /** Renames the call for those below, and notes what it has met itself. */
  const renames = (to: string, met: string[] = []): Passing<string> => ({
    before: (asked) => ({ ...asked, target: to }),
    after: (outcome, asked) => {
      met.push(`${asked.target} below ${to}`);
      return outcome;
    },
  });
  const answers = async (asked: { readonly target?: string | undefined }) => said(asked.target ?? '');

  it('gives a changed call to those below, and its own to who looks afterwards', async () => {
    const met: string[] = [];
    const path = compose([passing(renames('b', met)), passing(renames('c', met))], answers);
    expect(await path(named('a'))).toEqual(said('c'));
    expect(met).toEqual(['b below c', 'a below b']);
  });

  it.each([0, 1, 2])(
    'ends at step %i with what that gives instead, seen by those above alone',
    async (place) => {
      const row = [adds('x'), adds('y'), adds('z')];
      const refuses: Policy<string> = passing({
        before: () => said('no'),
        after: () => said('looked again'),
      });
      const made: string[] = [];
      const path = compose([...row.slice(0, place), refuses, ...row.slice(place)], async () => {
        made.push('made');
        return said('');
      });
      expect(await path(call)).toEqual(said(['no', 'nox', 'noyx'][place] ?? ''));
      expect(made).toEqual([]);
    },
  );

  it('leaves calls that need more to a policy of their own, which stands in the same place', async () => {
    const stop: Policy<string> = passing({
      except: { applies: ({ target }) => target === 'odd', policy: around('!') },
      after: (outcome) => (outcome.ok ? said(`${outcome.value}.`) : outcome),
    });
    const path = compose([adds('c'), stop, adds('b')], answers);
    expect(await path(named('odd'))).toEqual(said('oddb!c'));
    expect(await path(named('even'))).toEqual(said('evenb.c'));
  });

  it('waits for a step that takes a moment before, in a row and alone', async () => {
    const slow = (gives: string): Passing<string> => ({
      before: async (asked) =>
        asked.target === 'odd' ? said(gives) : { ...asked, target: `${asked.target}!` },
    });
    for (const policies of [[passing(slow('no'))], [around(''), passing(slow('no')), around('')]]) {
      const path = compose(policies, answers);
      expect(await path(named('odd'))).toEqual(said('no'));
      expect(await path(named('even'))).toEqual(said('even!'));
    }
  });

  it('lets who looks ask those below again, and nobody above', async () => {
    const asksAgain: Policy<string> = after(async (outcome, asked, next) => {
      const again = await next({ ...asked, target: 'again' });
      return outcome.ok && again.ok ? said(`${outcome.value} ${again.value}`) : outcome;
    });
    const path = compose([adds('d'), asksAgain, adds('b')], answers);
    expect(await path(named('first'))).toEqual(said('firstb againbd'));
  });

  it('is the same without anybody who looks', async () => {
    const refuses: Policy<string> = passing({
      before: (asked) => (asked.target === 'odd' ? said('no') : asked),
      except: { applies: ({ target }) => target === 'even', policy: around('!') },
    });
    for (const path of [refuses(answers), compose([around(''), refuses, around('')], answers)]) {
      expect(await path(named('odd'))).toEqual(said('no'));
      expect(await path(named('even'))).toEqual(said('even!'));
      expect(await path(named('other'))).toEqual(said('other'));
    }
  });

  it.each(['before', 'applies', 'exception', 'after'])(
    'makes one outcome of what is thrown in %s',
    async (where) => {
      const boom = (): never => {
        throw new Error('boom');
      };
      const broken: { readonly [where: string]: Passing<string> } = {
        before: { before: boom },
        applies: { except: { applies: boom, policy: around('') } },
        exception: { except: { applies: () => true, policy: () => boom } },
        after: { after: boom },
      };
      const path = compose([adds('a'), passing(broken[where] ?? {}), adds('b')], answers);
      expect(await path(call)).toMatchObject({
        ok: false,
        fault: { kind: 'internal' },
        thrown: { message: 'boom' },
      });
    },
  );
});

describe('a policy with a defect', () => {
  const fresh = () => startCall({ upstream: 'shop', target: 'pay' });
  const written: string[] = [];
  const writes = sender(async () => {
    written.push('order');
    return 'done';
  });
  const throws: Policy<string> = after(() => {
    throw new TypeError('nope');
  });

  it.each([
    ['alone', [throws]],
    ['around retries', [throws, retry<string, Call>()]],
    ['inside a limit', [concurrency<string, Call>({ limit: 1 }), throws]],
    ['under a key', [idempotency<string, Call>(), throws]],
  ])('that throws behind a write that was done says that it was done, %s', async (_where, policies) => {
    written.length = 0;
    const path = compose<string, Call>(policies, writes);
    expect(await path({ ...fresh(), idempotencyKey: 'k1' })).toMatchObject({
      ok: false,
      fault: { kind: 'internal', executed: 'yes' },
    });
    expect(written).toEqual(['order']);
  });

  it('that throws before anything was sent says that nothing was done', async () => {
    const early = passing<string, Call>({
      before: () => {
        throw new TypeError('nope');
      },
    });
    expect(await compose([early], writes)(fresh())).toMatchObject({ fault: { executed: 'no' } });
  });

  it.each([
    ['null', null],
    ['undefined', undefined],
    ['text', 'done'],
  ])(
    'that gives %s in place of an outcome fails its call alone, and holds no place',
    async (_what, given) => {
      const odd: Policy<string> = () => async () => given as never;
      const path = compose([concurrency<string, Call>({ limit: 1 }), odd], writes);
      for (let i = 0; i < 3; i++)
        expect(await path(fresh())).toMatchObject({ ok: false, fault: { kind: 'internal' } });
    },
  );

  it('holds nothing up where a place cannot be given back', async () => {
    const release = () => {
      throw new Error('gone');
    };
    const limit = concurrency<string, Call>({ limit: 1, store: { acquire: () => ({ release }) } });
    expect(await compose([limit], writes)(fresh())).toEqual({ ok: true, value: 'done' });
  });
});
