/** Nobody can find out which tools and keys there are: refusals are the same to the byte. */
import { describe, expect, it } from 'vitest';
import {
  digestKey,
  type FaultEvent,
  type GuardOptions,
  type KeyRecord,
  keys,
  rateLimit,
  scopes,
  sizeLimits,
} from '../src/index.ts';
import { failingServer } from './fixture.ts';
import { ask, type Era } from './wire.ts';

const ERAS: readonly Era[] = ['2025-11-25', '2026-07-28'];
const records: { readonly [digest: string]: KeyRecord } = {
  [digestKey('qx_live_good')]: { principal: 'ada' },
  [digestKey('qx_live_revoked')]: { principal: 'bob', revoked: true },
  [digestKey('qx_live_expired')]: { principal: 'eve', expiresAt: 1 },
};

describe.each(ERAS)('in the era of %s', (era) => {
  it.each(['mayday', 'qaqnuz', 'mcp', 'tool-failure', 'onx'] as const)(
    'four reasons to miss a tool look the same in %s',
    async (dialect) => {
      const reasons: string[] = [];
      const options: GuardOptions = {
        dialect,
        guards: [scopes({ opaque: true, sensitive: ['fine'], required: { args: ['secret.scope'] } })],
        onFault: ({ cause }: FaultEvent) => void reasons.push((cause as Error).message),
        clock: { now: () => 0, setTimeout: () => 0, clearTimeout: () => {} },
      };
      const seen = new Set<string>();
      for (const name of ['no-such-tool', 'constructor', 'off', 'fine', 'args'])
        seen.add((await ask(() => failingServer(options), era, 'tools/call', { name }))?.text ?? '');
      expect(seen.size).toBe(1);
      expect([...seen][0]).toContain('This tool is not available for your key.');
      expect([...seen][0]).not.toMatch(/no-such-tool|secret\.scope|sensitive|disabled/);
      expect(reasons).toEqual([
        'unknown tool',
        'unknown tool',
        'disabled tool',
        'sensitive tool',
        'missing scope',
      ]);
    },
  );

  it.each(['platica', 'problem'] as const)(
    'one that promises a form of its results looks like one that is not there in %s, whoever refuses',
    async (dialect) => {
      const hiding = scopes({ opaque: true, required: { typed: ['secret.scope'] } });
      for (const guards of [[hiding], [sizeLimits({ maxArgumentBytes: 20 }), hiding]]) {
        const seen = new Set<string>();
        for (const name of ['no-such-tool', 'typed']) {
          const params = { name, arguments: { how: 'x'.repeat(50) } };
          const answer = await ask(() => failingServer({ dialect, guards }), era, 'tools/call', params);
          const { isError, structuredContent } = answer?.message.result ?? {};
          expect([isError, typeof structuredContent]).toEqual([true, 'object']);
          const same = answer?.text.replaceAll(name, 'NAME').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
          seen.add(same ?? '');
        }
        expect(seen.size).toBe(1);
      }
    },
  );

  it('leaves out of a refusal what clients would check, where they know the tool', async () => {
    const guards = [sizeLimits({ maxArgumentBytes: 20 }), scopes({ opaque: true })];
    const params = { name: 'typed', arguments: { how: 'x'.repeat(50) } };
    const answer = await ask(() => failingServer({ dialect: 'platica', guards }), era, 'tools/call', params);
    const { isError, structuredContent } = answer?.message.result ?? {};
    expect([isError, typeof structuredContent]).toEqual([
      true,
      era === '2025-11-25' ? 'undefined' : 'object',
    ]);
  });

  it.each([false, true])(
    'a limit counts them together, so that no count tells which there are (key: %s)',
    async (keyed) => {
      const guards = [
        keys({ lookup: () => ({ principal: 'ada' }) }),
        rateLimit({ limit: 2, windowMs: 60_000, now: () => 0 }),
        scopes({ opaque: true, sensitive: ['fine'], required: { args: ['secret.scope'] } }),
      ];
      const texts: string[] = [];
      for (const name of ['no-such-tool', 'another', 'a-third', 'off', 'fine', 'args']) {
        const params = { name, ...(keyed ? { _meta: { 'dev.mayday/idempotency-key': name } } : {}) };
        const authorization = 'Bearer qx_live_good';
        const answer = await ask(() => failingServer({ guards }), era, 'tools/call', params, {
          authorization,
        });
        texts.push(/not available for your key|[Rr]ate limit/.exec(answer?.text ?? '')?.[0] ?? '');
      }
      const [out, limited] = ['not available for your key', 'Rate limit'];
      expect(texts).toEqual([out, out, limited, limited, limited, limited]);
    },
  );

  it('what is not available for a key is not on its list of tools, and the rest is', async () => {
    const needs = { args: ['secret.scope'], slow: ['slow.scope'] };
    const lookup = () => ({ principal: 'ada', scopes: ['slow.scope'] });
    const listed = async (opaque: boolean): Promise<readonly string[]> => {
      const guards = [keys({ lookup }), scopes({ opaque, sensitive: ['fine'], required: needs })];
      const authorization = 'Bearer qx_live_good';
      const answer = await ask(() => failingServer({ guards }), era, 'tools/list', {}, { authorization });
      const { tools = [] } = (answer?.message.result ?? {}) as {
        readonly tools?: readonly { readonly name: string }[];
      };
      return tools.map(({ name }) => name).filter((name) => ['args', 'slow', 'fine', 'typed'].includes(name));
    };
    expect(await listed(true)).toEqual(['slow', 'typed']);
    expect(await listed(false)).toEqual(['slow', 'fine', 'args', 'typed']);
  });

  it('four kinds of bad key look the same, and a good one works', async () => {
    const guards = [keys({ lookup: (digest) => records[digest], now: () => 1000 })];
    const options: GuardOptions = { guards };
    const texts: (string | undefined)[] = [];
    for (const authorization of [
      'Bearer qx_live_unknown',
      'Bearer qx_live_revoked',
      'Bearer qx_live_expired',
      'Basic ?? !!',
      '',
    ])
      texts.push(
        (await ask(() => failingServer(options), era, 'tools/call', { name: 'fine' }, { authorization }))
          ?.text,
      );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('Unauthorized');
    const good = await ask(
      () => failingServer(options),
      era,
      'tools/call',
      { name: 'fine' },
      { authorization: 'Bearer qx_live_good' },
    );
    expect(good?.message.result).toMatchObject({ content: [{ text: 'fine' }] });
  });
});
