import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operate } from './operator.ts';
import { openStore } from './store/index.ts';

function openOperator() {
  const store = openStore(tempFolder());
  onTestFinished(() => store.close());
  return { store, run: (...words: string[]) => operate(store, words) };
}

describe('the operator', () => {
  it('issues keys that work until they are revoked, and shows each once', () => {
    const { store, run } = openOperator();
    run('add-brand', 'acme');
    const [id = '', key = ''] = run('issue-key', 'acme', 'contacts.read,stock.read', '30').split(' ');
    expect(key).toMatch(/^qx_live_/);
    expect(run('revoke-key', id)).toBe(`Revoked ${id}`);
    expect(() => run('revoke-key', 'nobody')).toThrow('There is no such thing');
    expect(store.keys.isEntitled('acme')).toBe(true);
    run('entitle', 'acme', 'off');
    expect(store.keys.isEntitled('acme')).toBe(false);
  });

  it.each([
    [['issue-key', 'nobody', 'contacts.read'], 'Expected a brand that is entitled, got nobody'],
    [['issue-key', 'acme', 'contacts'], 'Expected scopes like contacts.read,stock.read, got contacts'],
    [['issue-key', 'acme', 'contacts.read', 'soon'], 'Expected a number of days, got soon'],
    [['grant', 'apr_1'], 'There is no such thing, or it was decided before'],
    [['toString'], 'Expected one of add-brand,'],
  ])('refuses %j with a sentence', (words, sentence) => {
    const { run } = openOperator();
    run('add-brand', 'acme');
    expect(() => run(...words)).toThrow(sentence);
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
