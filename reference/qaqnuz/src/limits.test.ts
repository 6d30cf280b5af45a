import { TEXTS as QAQNUZ_TEXTS } from '@mayday/core/dialects/qaqnuz';
import { describe, expect, it } from 'vitest';
import { startPlatform, textOf } from '../test/platform.ts';

const FIND = ['find_contacts', { name: 'a' }] as const;

describe('limits', () => {
  it('QA-11 QA-16 QA-17 60 calls in any 60 seconds for each key; then a hint that is true', async () => {
    const { key, call, envelope, advance } = await startPlatform();
    const [one, other] = [key(), key()];
    expect((await call(one, ...FIND)).result.isError).toBe(false);
    advance(20_000);
    for (let at = 0; at < 59; at++) expect((await call(one, ...FIND)).result.isError).toBe(false);
    const refused = await call(one, ...FIND);
    expect(refused.result).toEqual({
      content: [{ type: 'text', text: QAQNUZ_TEXTS.rateLimited }],
      isError: true,
    });
    expect(envelope()).toEqual({
      ok: false,
      error_class: 'retryable',
      sanitized_error: QAQNUZ_TEXTS.rateLimited,
      retry_hint: { retry_after_ms: 40_000, max_attempts: 1, backoff: 'fixed' },
    });
    expect((await call(other, ...FIND)).result.isError).toBe(false);
    advance(39_999);
    expect((await call(one, ...FIND)).result.isError).toBe(true);
    advance(1);
    expect((await call(one, ...FIND)).result.isError).toBe(false);
    expect((await call(one, ...FIND)).result.isError).toBe(true);
  });

  it('counts all keys of a brand together, and what the brand refuses does not count for the key', async () => {
    const { key, call, advance } = await startPlatform({ perKey: 3, perBrand: 4 });
    const [one, two, elsewhere] = [key(), key(), key(undefined, 'other')];
    const outcomes = async (...callers: string[]) => {
      const errors: unknown[] = [];
      for (const caller of callers) errors.push((await call(caller, ...FIND)).result.isError);
      return errors;
    };
    expect(await outcomes(two, two, two)).toEqual([false, false, false]);
    advance(30_000);
    expect(await outcomes(one, one, one, one)).toEqual([false, true, true, true]);
    expect(await outcomes(elsewhere)).toEqual([false]);
    advance(30_000);
    expect(await outcomes(one, one, one)).toEqual([false, false, true]);
  });

  it('what is refused for lack of permission costs nothing, and neither does a list', async () => {
    const { key, call, store } = await startPlatform({ perKey: 2 });
    const caller = key();
    for (let at = 0; at < 5; at++) {
      await call('qx_live_nobody', ...FIND);
      await call(caller, 'no_such_tool');
      await call(caller, 'issue_refund', { order: 'o', amount_cents: 1 });
    }
    store.keys.entitle('acme', false);
    await call(caller, ...FIND);
    store.keys.entitle('acme', true);
    const outcomes = [await call(caller, ...FIND), await call(caller, ...FIND), await call(caller, ...FIND)];
    expect(outcomes.map((answer) => answer.result.isError)).toEqual([false, false, true]);
  });

  it('asks in order: key, entitlement, limit, reach, arguments', async () => {
    const { key, call, store } = await startPlatform({ perKey: 1 });
    const caller = key();
    store.keys.entitle('acme', false);
    expect(textOf(await call('qx_live_nobody', 'no_such_tool', 5))).toBe('Unauthorized');
    expect(textOf(await call(caller, 'no_such_tool', 5))).toBe(
      'Your plan does not include the tool platform.',
    );
    store.keys.entitle('acme', true);
    expect(textOf(await call(caller, 'no_such_tool', 5))).toBe(QAQNUZ_TEXTS.unreachable);
    expect(textOf(await call(caller, 'find_contacts', 5))).toMatch(/^Invalid arguments/);
    expect(textOf(await call(caller, 'no_such_tool', 5))).toBe(QAQNUZ_TEXTS.rateLimited);
  });

  it('fails closed: when the store is down, nothing runs; when it is back, everything does', async () => {
    const { key, call, store, whileLocked } = await startPlatform();
    const caller = key();
    const refused = await whileLocked(() => call(caller, 'add_contact', { name: 'Ada' }));
    expect(refused.result).toEqual({
      content: [{ type: 'text', text: 'The rate limiter is not available' }],
      isError: true,
    });
    expect(store.contacts.search('acme', 'Ada')).toEqual([]);
    expect((await call(caller, 'add_contact', { name: 'Ada' })).result.isError).toBe(false);
  });
});
