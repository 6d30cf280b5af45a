import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { read } from '@mayday/core';
import { command } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { startPlatform, textOf } from '../test/platform.ts';

const REFUND = { order: 'o-1', amount_cents: 500 };

function requestIn(text: string): string {
  return /request (apr_\w+)/.exec(text)?.[1] ?? '';
}

/** When the platform of these tests begins. */
const NOW = Date.parse('2026-11-15T12:00:00Z');

describe('approvals', () => {
  it('50 requests of a key wait at a time; a decision makes room, and another key has its own', async () => {
    const { key, call, store, envelope } = await startPlatform();
    const [caller, other] = [key(), key()];
    const ask = async (who: string, amount: number) =>
      textOf(await call(who, 'issue_refund', { order: 'o-1', amount_cents: amount }));
    const first = await ask(caller, 1);
    for (let amount = 2; amount <= 50; amount++)
      expect(await ask(caller, amount)).toContain('requires approval');
    expect(await ask(caller, 51)).toBe('Too many of your calls wait for approval.');
    expect(envelope()).toMatchObject({ error_class: 'permission' });
    expect(await ask(caller, 1)).toBe(first);
    expect(await ask(other, 51)).toContain('requires approval');
    expect(store.approvals.waiting(NOW)).toHaveLength(51);
    store.approvals.decide(requestIn(first), 'denied', NOW);
    expect(await ask(caller, 51)).toContain('requires approval');
  });

  it('QA-10 the operator grants a request, and the call then succeeds exactly once', async () => {
    const { key, call, store, folder, envelope } = await startPlatform();
    const caller = key();
    const asked = await call(caller, 'issue_refund', REFUND);
    const id = requestIn(textOf(asked));
    expect(textOf(asked)).toBe(`issue_refund requires approval (request ${id})`);
    expect(envelope()).toMatchObject({ error_class: 'permission' });
    expect(read(asked, { from: 'qaqnuz' })).toMatchObject({
      fault: { kind: 'approval_required', reaction: 'permission' },
    });
    expect(textOf(await call(caller, 'issue_refund', REFUND))).toContain(id);
    expect(store.orders.refunds('acme')).toEqual([]);

    const operator = async (...words: string[]) => {
      const { command: file, args, cwd } = command('qaqnuz', ['operator', ...words, '--data', folder]);
      return (await promisify(execFile)(file, args, { cwd })).stdout.trim();
    };
    expect(JSON.parse(await operator('approvals'))).toMatchObject({ id, tool: 'issue_refund' });
    expect(await operator('grant', id)).toBe(`Granted ${id}`);
    await expect(operator('grant', id)).rejects.toThrow('Expected a request that waits');

    const reordered = { amount_cents: 500, order: 'o-1' };
    expect((await call(caller, 'issue_refund', reordered)).result).toEqual({
      content: [{ type: 'text', text: '{"order":"o-1","amount_cents":500,"refunded":true}' }],
      isError: false,
    });
    const again = textOf(await call(caller, 'issue_refund', REFUND));
    expect(again).toContain('requires approval');
    expect(requestIn(again)).not.toBe(id);
    expect(store.orders.refunds('acme')).toEqual([REFUND]);
  });

  it('counts for one caller and one set of arguments, and once among many at the same time', async () => {
    const { key, call, store } = await startPlatform();
    const [caller, other] = [key(), key()];
    store.approvals.decide(requestIn(textOf(await call(caller, 'issue_refund', REFUND))), 'granted', NOW);
    expect(textOf(await call(other, 'issue_refund', REFUND))).toContain('requires approval');
    const more = { ...REFUND, amount_cents: 501 };
    expect(textOf(await call(caller, 'issue_refund', more))).toContain('requires approval');
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(caller, 'issue_refund', REFUND)));
    expect(answers.filter((answer) => answer.result.isError === false)).toHaveLength(1);
    expect(store.orders.refunds('acme')).toEqual([REFUND]);
  });

  it('consent is not lost when the work fails: it counts for the next attempt', async () => {
    const { key, call, store } = await startPlatform();
    const caller = key();
    store.approvals.decide(requestIn(textOf(await call(caller, 'issue_refund', REFUND))), 'granted', NOW);
    const { refund } = store.orders;
    Object.assign(store.orders, {
      refund: () => {
        throw new TypeError('x is undefined');
      },
    });
    expect(textOf(await call(caller, 'issue_refund', REFUND))).toBe('Internal error');
    Object.assign(store.orders, { refund });
    expect((await call(caller, 'issue_refund', REFUND)).result.isError).toBe(false);
    expect(store.orders.refunds('acme')).toEqual([REFUND]);
  });

  it('a denied call is told so once; arguments that are wrong never reach a person', async () => {
    const { key, call, store } = await startPlatform();
    const caller = key();
    const id = requestIn(textOf(await call(caller, 'issue_refund', REFUND)));
    store.approvals.decide(id, 'denied', NOW);
    expect(textOf(await call(caller, 'issue_refund', REFUND))).toBe(
      `The call to issue_refund was denied (request ${id})`,
    );
    expect(textOf(await call(caller, 'issue_refund', { order: 'o-2' }))).toMatch(/^Invalid arguments/);
    expect(store.approvals.waiting(NOW)).toEqual([]);
  });
});
