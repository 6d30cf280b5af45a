import { redact } from '@mayday/core/redact';
import { expect, it } from 'vitest';
import { shortResult } from './short-result.ts';

const block = (text: string) => ({ type: 'text', text });
const failing = (content: unknown) => ({
  jsonrpc: '2.0' as const,
  id: 1,
  result: { isError: true, content },
});
const content = (blocks: readonly unknown[], maxTextLength = 10): unknown =>
  shortResult(failing(blocks), { maxTextLength }).result?.['content'];

it('keeps a thousand blocks, and says in a text how many more there were', () => {
  const thousand = Array.from({ length: 1000 }, () => ({ type: 'image' }));
  expect(content(thousand)).toBe(thousand);
  expect(content([...thousand, ...thousand, block('x')])).toEqual([
    ...thousand,
    { type: 'text', text: '… [1,001 more blocks]' },
  ]);
});

it('keeps ten of the longest texts, whole or cut later', () => {
  const ten = Array.from({ length: 10 }, () => block('0123456789'));
  expect(content(ten)).toBe(ten);
  expect(content([...ten, block('')])).toEqual([...ten, { type: 'text', text: '… [1 more blocks]' }]);
  const long = Array.from({ length: 10 }, () => block('x'.repeat(500)));
  expect(content([...long, block('y')])).toEqual([...long, { type: 'text', text: '… [1 more blocks]' }]);
  const shorter = [...ten.slice(1), block('012345678'), block('y')];
  expect(content(shorter)).toBe(shorter);
  expect(content([...shorter, block('z')])).toEqual([
    ...shorter,
    { type: 'text', text: '… [1 more blocks]' },
  ]);
});

it('leaves alone what is no failure, or has no list, and blocks that cannot be looked at', () => {
  const many = Array.from({ length: 1500 }, () => block('x'));
  const success = { jsonrpc: '2.0' as const, id: 1, result: { content: many } };
  const odd = failing('text');
  const strange = [
    null,
    undefined,
    7,
    {
      get text(): string {
        throw new Error('no');
      },
    },
  ];
  expect(shortResult(success, { maxTextLength: 10 })).toBe(success);
  expect(shortResult(odd, { maxTextLength: 10 })).toBe(odd);
  expect(content(strange)).toBe(strange);
});

it.each([2, 3, 20])('tells nothing of a secret in %i blocks that goes over the cut', (parts) => {
  const secret = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
  const size = Math.ceil(secret.length / parts);
  const pieces = secret.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
  const told: string[] = [];
  for (let before = 999; before > 1000 - pieces.length; before -= 1) {
    const blocks = [...Array.from({ length: before }, () => ' x '), ...pieces, ' and more'].map(block);
    const kept = content(blocks, 1000) as readonly { readonly text: string }[];
    expect(kept).toHaveLength(1001);
    const safe = redact(kept.slice(-40)).value;
    told.push(
      safe
        .slice(0, -1)
        .map(({ text }) => text)
        .join(''),
    );
  }
  expect(told.join('\n')).not.toMatch(/sk_l|4eC39|HqLyj/);
});
