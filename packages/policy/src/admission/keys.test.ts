import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { startCall } from '../call.ts';
import { compose } from '../policy.ts';
import { digestKey, identifier, type KeyRecord, keys } from './keys.ts';

const RECORDS: { readonly [digest: string]: KeyRecord } = {
  [digestKey('qx_live_good')]: { principal: 'ada', scopes: ['pay'] },
  [digestKey('qx_live_revoked')]: { principal: 'bob', revoked: true },
  [digestKey('qx_live_expired')]: { principal: 'eve', expiresAt: 1 },
};

function present(header: string | undefined) {
  const options = {
    lookup: (digest: string) => RECORDS[digest],
    from: () => header,
    clock: { now: () => 2 },
  };
  const handle = compose([keys(options)], async ({ caller, scopes }) => ({
    ok: true,
    value: { caller, scopes },
  }));
  return handle(startCall({ upstream: 'shop' }));
}

it.each(['Bearer qx_live_good', 'bearer  qx_live_good', 'qx_live_good'])(
  'knows who presents %j',
  async (header) => {
    expect(await present(header)).toEqual({ ok: true, value: { caller: 'ada', scopes: ['pay'] } });
  },
);

it('gives one answer to all others, and the reason to the log', async () => {
  const headers = ['qx_live_revoked', 'qx_live_expired', 'qx_live_nobody', 'short', 'Basic abc', undefined];
  const outcomes = await Promise.all(headers.map(present));
  const faults = outcomes.map((outcome) => (outcome.ok ? '' : JSON.stringify(outcome.fault)));
  expect(new Set(faults).size).toBe(1);
  expect(outcomes.map((outcome) => !outcome.ok && outcome.refused?.reason)).toEqual([
    'revoked key',
    'expired key',
    'unknown key',
    'malformed header',
    'malformed header',
    'malformed header',
  ]);
  expect(outcomes[0]).toMatchObject({
    fault: { kind: 'unauthenticated', executed: 'no' },
    refused: { opaque: true },
  });
});

it.each(['short', 'with blanks in it', 'x'.repeat(513), 'schlüssel-1'])(
  'does not take %j for a key',
  (key) => {
    expect(() => digestKey(key)).toThrow(TypeError);
  },
);

it.each([undefined, null, 12_345_678, true, ['abcdefgh'], {}, { toString: () => 'abcdefgh' }])(
  'does not take what is no text for one: %o',
  (key) => {
    expect(() => digestKey(key as never)).toThrow(
      new TypeError(
        'Expected a key of 8 to 512 letters, digits and . _ ~ + / = -; callers could not send others',
      ),
    );
  },
);

it('tells everybody the same, in its own words or in those it was given', async () => {
  expect(await present('qx_live_nobody')).toMatchObject({
    fault: { message: 'Unauthorized' },
    refused: { by: 'keys' },
  });
  const options = { lookup: () => undefined, from: () => undefined, message: 'Who are you?' };
  const handle = compose([keys(options)], async () => ({ ok: true, value: '' }));
  expect(await handle(startCall({ upstream: 'shop' }))).toMatchObject({ fault: { message: 'Who are you?' } });
});

it('counts a key as expired from the very moment on, and one without scopes as having none', () => {
  const at = (now: number) =>
    identifier({
      lookup: () => ({ principal: 'ada', expiresAt: 5 }),
      from: () => 'qx_live_good',
      clock: { now: () => now },
    })(undefined);
  expect([at(4), at(5)]).toMatchObject([{ caller: 'ada', scopes: [] }, { reason: 'expired key' }]);
});

it('takes keys of 8 to 512 characters', () => {
  expect([8, 512].map((length) => digestKey('x'.repeat(length)).length)).toEqual([64, 64]);
  expect(() => digestKey('x'.repeat(7))).toThrow(TypeError);
});

it('looks a malformed header up too, and lets nobody in whatever is found', async () => {
  const digests: string[] = [];
  const lookup = (digest: string) => {
    digests.push(digest);
    return Promise.resolve({ principal: 'ada' });
  };
  const told = await Promise.all(
    ['Bearer short', undefined].map((given) => identifier({ lookup, from: () => given })({})),
  );
  expect(told).toMatchObject([{ reason: 'malformed header' }, { reason: 'malformed header' }]);
  const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
  expect(digests).toEqual([digestOf('malformed Bearer short'), digestOf('malformed ')]);
});
