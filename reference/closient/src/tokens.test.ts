import type { FaultError } from '@mayday/core';
import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { openStore } from './store.ts';
import { authenticate, disableOwner, listTokens, mintToken, requireScope, revokeToken } from './tokens.ts';

const store = openStore(tempFolder());

function told(run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    const { kind, message, details } = (thrown as FaultError).fault;
    return { kind, message, details };
  }
}

const INVALID = { kind: 'unauthenticated', message: 'The token is not valid', details: undefined };

describe('a token', () => {
  it('tells whose it is; no header is nobody in particular', () => {
    const token = mintToken(store, 'ada', ['gtin:claim'], 'csu');
    expect(authenticate(store, `Bearer ${token}`)).toEqual({
      owner: 'ada',
      kind: 'csu',
      scopes: ['gtin:claim'],
    });
    for (const header of [null, undefined, '']) {
      expect(authenticate(store, header)).toEqual({ owner: 'anonymous', kind: 'anonymous', scopes: [] });
    }
  });

  it('is refused alike when it is malformed, mistyped, unknown or revoked', () => {
    const token = mintToken(store, 'ada', []);
    const other = mintToken(openStore(tempFolder()), 'eve', []);
    const mistyped = token.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(token).toMatch(/^csb_/);
    expect(revokeToken(store, token)).toBe(true);
    for (const wrong of [
      'Basic abc',
      'Bearer nonsense',
      `Bearer ${mistyped}`,
      `Bearer ${other}`,
      `Bearer ${token}`,
    ]) {
      expect(told(() => authenticate(store, wrong))).toEqual(INVALID);
    }
  });

  it('is revoked by itself, by its id, or with its owner', () => {
    const own = openStore(tempFolder());
    const [first, second] = [
      mintToken(own, 'ada', []),
      mintToken(own, 'ada', []),
      mintToken(own, 'bob', ['a']),
    ];
    const ids = listTokens(own).map(({ id }) => id);
    expect(ids.map((id) => id.length)).toEqual([12, 12, 12]);
    expect([revokeToken(own, first as string), revokeToken(own, ids[1] as string)]).toEqual([true, true]);
    expect(revokeToken(own, 'nobody')).toBe(false);
    expect([disableOwner(own, 'ada'), disableOwner(own, 'bob')]).toEqual([0, 1]);
    expect(told(() => authenticate(own, `Bearer ${second}`))).toEqual(INVALID);
    expect(listTokens(own).map(({ owner, kind, revoked }) => [owner, kind, revoked])).toEqual([
      ['ada', 'csb', true],
      ['ada', 'csb', true],
      ['bob', 'csb', true],
    ]);
  });
});

describe('a scope', () => {
  const details = { required_scopes: ['gtin:claim'] };

  it('lets through who has it, sends the others for a token, or away', () => {
    const caller = (kind: 'csb' | 'anonymous', scopes: readonly string[]) => ({ owner: 'x', kind, scopes });
    expect(told(() => requireScope(caller('csb', ['gtin:claim']), 'gtin:claim'))).toBeUndefined();
    expect(told(() => requireScope(caller('csb', []), 'gtin:claim'))).toEqual({
      kind: 'forbidden',
      message: 'The token lacks the scope gtin:claim',
      details,
    });
    expect(told(() => requireScope(caller('anonymous', []), 'gtin:claim'))).toEqual({
      kind: 'unauthenticated',
      message: 'A token with the scope gtin:claim is required',
      details,
    });
  });
});
