import { describe, expect, it } from 'vitest';
import { startPlatform, textOf } from '../test/platform.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

/** Asks, is granted the request, and asks again. */
async function approved(
  { call, store }: Awaited<ReturnType<typeof startPlatform>>,
  key: string,
  args: object,
) {
  const id = /apr_\w+/.exec(textOf(await call(key, 'issue_refund', args)))?.[0] ?? '';
  expect(store.approvals.decide(id, 'granted', NOW)).toBe(true);
  return call(key, 'issue_refund', args);
}

describe('refunds', () => {
  it.each([
    ['an order that does not exist', { order: 'ghost', amount_cents: 1 }, 'There is no such order'],
    ["another brand's order", { order: 'theirs', amount_cents: 1 }, 'There is no such order'],
    [
      'more than was paid',
      { order: 'o-1', amount_cents: 501 },
      'The refund is more than was paid for the order',
    ],
  ])('QA-13 %s: terminal, and nothing is refunded, consent or not', async (_, args, sentence) => {
    const platform = await startPlatform();
    platform.store.orders.add('other', 'theirs', 500);
    expect((await approved(platform, platform.key(), args)).result).toEqual({
      content: [{ type: 'text', text: sentence }],
      isError: true,
    });
    expect(platform.envelope()).toMatchObject({
      ok: false,
      error_class: 'terminal',
      sanitized_error: sentence,
    });
    expect(platform.store.orders.refunds('acme')).toEqual([]);
  });

  it('QA-13 an order is refunded once, whoever consents to a second time', async () => {
    const platform = await startPlatform();
    const part = { order: 'o-1', amount_cents: 200 };
    expect((await approved(platform, platform.key(), part)).result.isError).toBe(false);
    expect(textOf(await approved(platform, platform.key(), part))).toBe('The order was refunded before');
    expect(platform.envelope()).toMatchObject({ error_class: 'terminal' });
    expect(platform.store.orders.refunds('acme')).toEqual([part]);
  });
});
