import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operate } from './operator.ts';
import { openStore } from './store/index.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const DAY_MS = 86_400_000;

function openOperator() {
  const store = openStore(tempFolder());
  onTestFinished(() => store.close());
  return { store, run: (...words: string[]) => operate(store, words, NOW) };
}

describe('the operator', () => {
  it('issues keys that work until they are revoked, and shows each once', () => {
    const { store, run } = openOperator();
    run('add-brand', 'acme');
    const [id = '', key = ''] = run('issue-key', 'acme', 'contacts.read,stock.read', '30').split(' ');
    expect(key).toMatch(/^qx_live_/);
    expect(run('revoke-key', id)).toBe(`Revoked ${id}`);
    expect(() => run('revoke-key', 'nobody')).toThrow(
      'Expected the id of a key; keys lists them; got "nobody"',
    );
    expect(store.keys.isEntitled('acme')).toBe(true);
    run('entitle', 'acme', 'off');
    expect(store.keys.isEntitled('acme')).toBe(false);
  });

  it.each([
    [['issue-key', 'nobody', 'contacts.read'], 'Expected a brand that is entitled; got "nobody"'],
    [['issue-key', 'acme', 'contacts'], 'Expected scopes of contacts.read, contacts.write, stock.read, '],
    [['issue-key', 'acme', 'contacts.read,zzz.top'], 'users.impersonate; got "contacts.read,zzz.top"'],
    [['issue-key', 'acme', ''], 'users.impersonate; got ""'],
    [['issue-key', 'acme', 'contacts.read', 'soon'], 'Expected a number of days; got "soon"'],
    [['grant', 'apr_1'], 'Expected a request that waits; approvals lists them; got "apr_1"'],
    [['deny', 'apr_1'], 'Expected a request that waits; approvals lists them; got "apr_1"'],
    [['entitle', 'nobrand', 'on'], 'Expected a brand that there is; got "nobrand"'],
    [['add-order', 'nobody', 'o1', '500'], 'Expected a brand that there is; got "nobody"'],
    [['add-order', 'acme', '', '500'], 'Expected an order of at most 64 characters; got ""'],
    [['add-order', 'acme', 'o1', '-5'], 'Expected what was paid, in cents; got "-5"'],
    [['add-order', 'acme', 'paid', '500'], 'Expected an order that is new; got "paid"'],
    [['log', 'all'], 'Expected a number of calls'],
    [['toString'], 'Expected one of add-brand,'],
  ])('refuses %j with a sentence', (words, sentence) => {
    const { run } = openOperator();
    run('add-brand', 'acme');
    run('add-order', 'acme', 'paid', '500');
    expect(() => run(...words)).toThrow(sentence);
  });

  it('lists brands, and keys without their secrets', () => {
    const { run } = openOperator();
    run('add-brand', 'acme');
    const [id = '', key = ''] = run('issue-key', 'acme', 'contacts.read').split(' ');
    run('revoke-key', id);
    expect(JSON.parse(run('brands'))).toEqual({ name: 'acme', entitled: true });
    expect(JSON.parse(run('keys', 'acme'))).toMatchObject({ id, brand: 'acme', revoked: true });
    expect(run('keys')).not.toContain(key);
    expect(run('keys', 'other')).toBe('');
  });

  it('a request waits for a week, and a decision counts for a day', () => {
    const { store } = openOperator();
    const { approvals } = store;
    const call = { principal: 'acme/1', tool: 'issue_refund', arguments: { order: 'o1' } };
    const { id } = approvals.claim(call, NOW);
    expect(approvals.waiting(NOW + 7 * DAY_MS - 1)).toHaveLength(1);
    expect(approvals.waiting(NOW + 7 * DAY_MS)).toEqual([]);
    expect(approvals.decide(id, 'granted', NOW + 7 * DAY_MS)).toBe(false);
    expect(approvals.decide(id, 'granted', NOW + DAY_MS)).toBe(true);
    expect(approvals.claim(call, NOW + 2 * DAY_MS).state).toBe('waiting');
    const again = approvals.claim(call, NOW + 2 * DAY_MS);
    expect([again.state, again.id === id]).toEqual(['waiting', false]);
    approvals.decide(again.id, 'granted', NOW + 2 * DAY_MS);
    expect(approvals.claim(call, NOW + 3 * DAY_MS - 1).state).toBe('granted');
  });

  it('keeps the latest ten thousand calls', () => {
    const { store, run } = openOperator();
    const envelope = { ok: true, error_class: null, sanitized_error: null };
    store.atomically(() => {
      for (let at = 0; at < 10_005; at++) store.audit.add({ at, principal: 'acme/1', tool: 't', envelope });
    });
    const kept = store.audit.latest(20_000);
    expect([kept.length, kept[0]?.at]).toEqual([10_000, 5]);
    expect(run('log', '2').split('\n')).toHaveLength(2);
  });
});
