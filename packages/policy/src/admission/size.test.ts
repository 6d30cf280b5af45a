import { expect, it } from 'vitest';
import { startCall } from '../call.ts';
import { compose } from '../policy.ts';
import { resultCheck, type SizeOptions, size } from './size.ts';

function handle(options: SizeOptions, args: unknown, result: unknown = 'fine') {
  const call = startCall({ upstream: 'shop', target: 'pay', arguments: args });
  return compose([size(options)], async () => ({ ok: true, value: result }))(call);
}

it.each([
  [{ maxArgumentBytes: 100 }, { text: 'x'.repeat(200) }, 'The arguments are too large'],
  [{ maxArgumentBytes: 100 }, { text: 'ü'.repeat(60) }, 'The arguments are too large'],
  [{ maxArgumentBytes: 100 }, { text: '🍵'.repeat(30) }, 'The arguments are too large'],
  [{ maxArgumentBytes: 100 }, { ['k'.repeat(200)]: 1 }, 'The arguments are too large'],
  [{ maxArgumentBytes: 100 }, { list: Array(200).fill(1) }, 'The arguments are too large'],
  [{ maxDepth: 3 }, { a: { b: { c: { d: 1 } } } }, 'The arguments are nested too deeply'],
])('refuses by %o', async (options, args, message) => {
  expect(await handle(options, args)).toMatchObject({
    ok: false,
    refused: { by: 'size' },
    fault: { kind: 'too_large', executed: 'no', message },
  });
});

it.each([{ a: 1 }, { text: 'x'.repeat(80) }, { text: '🍵'.repeat(20) }, undefined])(
  'lets %o through',
  async (args) => {
    expect(await handle({ maxArgumentBytes: 100, maxDepth: 3, maxResultBytes: 100 }, args)).toEqual({
      ok: true,
      value: 'fine',
    });
  },
);

it('refuses a result that nobody could take, and says that it ran', async () => {
  expect(await handle({ maxResultBytes: 100 }, {}, { text: 'x'.repeat(200) })).toMatchObject({
    ok: false,
    answered: true,
    fault: { kind: 'too_large', executed: 'yes' },
  });
});

it('is not troubled by a value of any depth', async () => {
  let deep: unknown = 1;
  for (let level = 0; level < 200_000; level += 1) deep = { deep };
  expect(await handle({ maxDepth: 100 }, deep)).toMatchObject({ fault: { kind: 'too_large' } });
  expect(await handle({ maxArgumentBytes: 1000 }, deep)).toMatchObject({ fault: { kind: 'too_large' } });
});

it.each(['maxDepth', 'maxArgumentBytes', 'maxResultBytes'])('says what is wrong with its %s', (name) => {
  expect(() => size({ [name]: 0 })).toThrow(
    new TypeError(`Expected \`${name}\` to be a positive integer, got 0`),
  );
});

it.each([
  [{}, 2],
  [{ a: 1 }, 8],
  [[1, 2], 6],
  [{ a: null }, 11],
  [{ ü: 1 }, 9],
  [{ t: 'x' }, 10],
  [{ t: '\u007f' }, 10],
  [{ t: '\u0080' }, 11],
  [{ t: '\u07ff' }, 11],
  [{ t: '\u0800' }, 12],
  [{ t: '\ud7ff' }, 12],
  [{ t: '\u{10000}' }, 13],
  [{ t: '🍵' }, 13],
  [{ t: '\u{10ffff}' }, 13],
  [{ t: '\ue000' }, 12],
])('takes %j for so many bytes: %i', async (value, bytes) => {
  expect(await handle({ maxArgumentBytes: bytes }, value)).toMatchObject({ ok: true });
  expect(await handle({ maxResultBytes: bytes }, {}, value)).toMatchObject({ ok: true });
  expect(await handle({ maxArgumentBytes: bytes - 1 }, value)).toMatchObject({
    fault: { message: 'The arguments are too large', details: { max_bytes: bytes - 1 } },
  });
});

it('lets the depth through that it allows, and not one more', async () => {
  expect(await handle({ maxDepth: 2 }, { a: [1] })).toMatchObject({ ok: true });
  expect(await handle({ maxDepth: 1 }, { a: [1] })).toMatchObject({
    fault: { message: 'The arguments are nested too deeply', details: { max_depth: 1 } },
  });
});

it('says what to ask for instead of a result that is too large', async () => {
  expect(await handle({ maxResultBytes: 5 }, {}, 'x'.repeat(9))).toMatchObject({
    fault: {
      message: 'The result is too large to send',
      advice: 'Ask for less: a narrower query, a page, a summary.',
      details: { max_bytes: 5 },
    },
  });
});

it('says by whom a result is refused, and counts only what is its own', () => {
  const check = resultCheck({ maxResultBytes: 10 });
  expect(check('x'.repeat(9))).toMatchObject({ by: 'size', fault: { kind: 'too_large' } });
  expect(check(Object.create({ inherited: 'x'.repeat(9) }))).toBeUndefined();
});
