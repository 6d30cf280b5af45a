/** A secret that only its owner knows goes over the cut of a list: no half of it is told, whatever stands around it. */
import { describe, expect, it } from 'vitest';
import { type Clean, withCleanEnd } from './clean-end.ts';
import { withFewTexts } from './few-texts.ts';

const SECRET = 'mangotreesbluefalconriverstoneharbour';
const LEAK = new RegExp(
  Array.from({ length: SECRET.length - 5 }, (_, at) => SECRET.slice(at, at + 6)).join('|'),
);
const text = (words: string) => ({ type: 'text', text: words });
const resource = (words: string) => ({ type: 'resource', resource: { uri: 'a://b', text: words } });

const textOf = (item: unknown): string => {
  const { text: words, resource: held } = item as { text?: string; resource?: { text: string } };
  return typeof item === 'string' ? item : (words ?? held?.text ?? '');
};

/** Takes the secret out of a list of texts, wherever it is cut there. */
const hide = ((items: readonly (string | { type: 'text'; text: string })[]) => {
  const joined = items.map(textOf).join('');
  const start = joined.indexOf(SECRET);
  if (start < 0) return items;
  let from = 0;
  return items.map((item) => {
    const words = textOf(item);
    const [begin, end] = [start - from, start - from + SECRET.length];
    from += words.length;
    if (words === '' || begin >= words.length || end <= 0) return item;
    const left = `${words.slice(0, Math.max(0, begin))}[hidden]${words.slice(Math.max(0, end))}`;
    return typeof item === 'string' ? left : text(left);
  });
}) as Clean;

const split = (parts: number): readonly string[] =>
  Array.from({ length: parts }, (_, at) =>
    SECRET.slice(Math.floor((at * SECRET.length) / parts), Math.floor(((at + 1) * SECRET.length) / parts)),
  );

describe.each([
  ['without a space', 'x'],
  ['with spaces', 'x '],
  ['of several words', 'line of words '],
])('among blocks %s', (_what, filling) => {
  const blocks = (count: number) => Array.from({ length: count }, () => text(filling));
  const end = withFewTexts(blocks(20_000), 1_000_000).length - 1;

  it.each([1, 2, 3, 20])('a secret in %i of them', (parts) => {
    const leaks: number[] = [];
    const cuts = new Set<number>();
    for (let offset = -1100; offset <= 1100; offset += Math.abs(offset) < 42 ? 3 : 106) {
      const content = [...blocks(end + offset), ...split(parts).map(text), ...blocks(1200)];
      const few = withFewTexts(content, 1_000_000, { clean: hide });
      cuts.add(few.length - 1);
      // What is whole is taken out elsewhere, where all is looked through.
      const told = hide(few).map(textOf).join('');
      if (LEAK.test(told)) leaks.push(offset);
      expect(told.startsWith(filling.repeat(1000))).toBe(true);
    }
    expect(leaks).toEqual([]);
    expect([...cuts]).toEqual([end]);
  });
});

const HALF = SECRET.slice(0, 20);
const REST = SECRET.slice(20);

it.each([
  ['a list of strings', [`seen ${HALF}`], ['seen [hidden]'], `${REST} end`],
  ['resources', [resource(`seen ${HALF}`)], [resource('seen [hidden]')], resource(`${REST} end`)],
  [
    'what others and nothing stand between',
    [text(`seen ${HALF.slice(0, 9)}`), { type: 'image', data: 'AAAA' }, text(''), text(HALF.slice(9))],
    [text('seen [hidden]'), { type: 'image', data: 'AAAA' }, text(''), text('[hidden]')],
    text(`${REST} end`),
  ],
])('is taken out of %s', (_what, kept, expected, next) => {
  expect(withCleanEnd(kept, [...kept, next], hide)).toEqual(expected);
});

it('is taken out of the end of a long text, of which nothing else is read again', () => {
  const long = 'lorem ipsum '.repeat(20_000);
  const seen: number[] = [];
  const clean = ((items: readonly { text: string }[]) => {
    seen.push(items.map(textOf).join('').length);
    return hide(items);
  }) as Clean;
  const kept = [text(long), text(`${long}${HALF}`)];
  const items = [...kept, text(`${REST} ${long}`)];
  expect(withCleanEnd(kept, items, clean)).toEqual([text(long), text(`${long}[hidden]`)]);
  expect(Math.max(...seen)).toBeLessThan(4200);
});

it('leaves the same list where none goes over the cut', () => {
  const kept = [text(`seen ${SECRET}`), text(' and '), text(`${HALF}`)];
  expect(withCleanEnd(kept, [...kept, text('other words')], hide)).toBe(kept);
  expect(withCleanEnd([], [text(SECRET)], hide)).toEqual([]);
  expect(withCleanEnd(kept, kept, hide)).toBe(kept);
});

it('reads no more than so many items, whatever they are', () => {
  let most = 0;
  const clean = (<T>(value: T): T => {
    most = Math.max(most, (value as unknown as readonly unknown[]).length);
    return value;
  }) as Clean;
  const empty = Array.from({ length: 100_000 }, () => text(''));
  withCleanEnd(empty, [...empty, ...empty], clean);
  expect(most).toBe(3072);
});
