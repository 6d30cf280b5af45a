import { spawnSync } from 'node:child_process';
import { command, tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { operate } from './operator.ts';
import { openStore } from './store.ts';

function openOperator() {
  const store = openStore(tempFolder());
  onTestFinished(() => store.close());
  return (flags: { readonly [name: string]: string }) => operate(store, flags, false);
}

describe('the operator of Closient', () => {
  it('mints tokens for scopes that some operation takes, and ends all of an owner', () => {
    const run = openOperator();
    expect(run({ mint: 'qr:generate, gtin:claim', owner: 'ada' })).toMatch(/^csb_/);
    expect(run({ disable: 'ada' })).toBe('1 revoked');
    expect(run({ disable: 'ada' })).toBe('0 revoked');
  });

  it.each([
    [
      { mint: 'zzz:top', owner: 'ada' },
      'Expected --mint with scopes of qr:generate, gtin:claim; got "zzz:top"',
    ],
    [
      { mint: 'qr:generate,', owner: 'ada' },
      'Expected --mint with scopes of qr:generate, gtin:claim; got ""',
    ],
    [{ mint: 'qr:generate', owner: ' ' }, 'Expected an --owner with a name'],
    [{ disable: 'nobody' }, 'There is no owner nobody; the word tokens lists them'],
    [{ revoke: 'nothing' }, 'There is no such token; the word tokens lists them'],
  ])('refuses %j with a sentence', (flags, sentence) => {
    expect(() => openOperator()(flags)).toThrow(sentence);
  });

  it('ends with 2 and one line', () => {
    const { command: file, args, cwd } = command('closient', ['--mint', 'zzz:top', '--data', tempFolder()]);
    const { status, stdout, stderr } = spawnSync(file, args, { cwd, encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      'Expected --mint with scopes of qr:generate, gtin:claim; got "zzz:top"\n',
    ]);
  });
});
