import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INTERNALS, PERSONAL, SECRETS } from '../../../../bench/redact-cases.ts';
import { PREFIXED_FIXTURES } from '../../../../bench/redact-fixtures.ts';
import { createRandom, expand } from '../../../../bench/redact-random.ts';
import { runs } from '../../../../test/runs.ts';
import { createRedactor, redact } from './index.ts';

const redactor = createRedactor();
const seed = fc.integer({ min: 1, max: 1e9 });
const message = fc
  .tuple(
    fc.array(fc.oneof(fc.constantFrom(...SECRETS, ...PERSONAL, ...INTERNALS), fc.string()), { maxLength: 4 }),
    seed,
  )
  .map(([parts, n]) => expand(parts.join(' '), createRandom(n)).replace(/[⟦⟧]/g, ''));
const formats = PREFIXED_FIXTURES.trim()
  .split('\n')
  .map((line) => line.split(' | ')[1] as string);
const secret = fc
  .tuple(fc.constantFrom(...formats), seed)
  .map(([format, n]) => expand(format, createRandom(n)));

/** What may stand right beside a secret: any text whose last and first characters do not continue the word. */
const beside = fc.string({ unit: 'binary' }).map((text) => `${text}\n`.replace(/[[\]]/g, ''));

describe('redaction', () => {
  test('done twice changes nothing more', () => {
    fc.assert(
      fc.property(message, (text) => {
        const once = redactor.redactText(text).value;
        expect(redactor.redactText(once)).toEqual({ value: once, findings: [] });
      }),
      { numRuns: runs(1500) },
    );
  });

  test.each(['/home/\\/a', 'u/homes/', '/media/jane', '/home/admin\\\\nas\\profiles$'])(
    'done twice changes nothing more: %j over and over',
    (part) => {
      const once = redactor.redactText(part.repeat(40)).value;
      expect(redactor.redactText(once)).toEqual({ value: once, findings: [] });
    },
  );

  test('done twice changes nothing more in what is made of the signs of paths', () => {
    const parts =
      '/ \\ ~ % /home/ /Users/ C:\\Users\\ /homes/ /media/ //nas/ \\\\nas\\ profiles$ jane x1 %2F %5C %7E ~/ ~jane/ file:/// . : - [user:1]';
    const path = fc
      .tuple(fc.array(fc.constantFrom(...parts.split(' ')), { minLength: 1, maxLength: 5 }), fc.nat(9))
      .map(([said, times]) => said.join('').repeat(times + 1));
    fc.assert(
      fc.property(path, (text) => {
        const once = redactor.redactText(text).value;
        expect(redactor.redactText(once)).toEqual({ value: once, findings: [] });
      }),
      { numRuns: runs(3000) },
    );
  });

  test('takes any value, and gives back one of the same kind', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withMap: true,
          withSet: true,
          withDate: true,
          withTypedArray: true,
          withNullPrototype: true,
          withSparseArray: true,
          withObjectString: true,
        }),
        (value) => {
          const result = redact(value);
          expect(Array.isArray(result.value)).toBe(Array.isArray(value));
          expect(Array.isArray(result.findings)).toBe(true);
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  test('returns benign text byte for byte', () => {
    const words =
      'the request could not be completed because upstream did not answer in time try again later page 12 of 50 items listed'.split(
        ' ',
      );
    const sentence = fc
      .array(
        fc.oneof(
          fc.constantFrom(...words),
          fc.integer({ min: 0, max: 99_999 }).map(String),
          fc.uuid(),
          fc
            .date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2200-01-01') })
            .map((date) => date.toISOString()),
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(sentence, (text) => {
        expect(redactor.redactText(text)).toEqual({ value: text, findings: [] });
      }),
      { numRuns: runs(1000) },
    );
  });

  test('lets no planted secret through, whatever surrounds it', () => {
    fc.assert(
      fc.property(secret, beside, beside, (value, before, after) => {
        expect(redactor.redactText(`${before}${value}\n${after}`).value).not.toContain(value);
      }),
      { numRuns: runs(2000) },
    );
  });

  test('lets no planted secret through, wherever in a value it is', () => {
    fc.assert(
      fc.property(secret, fc.jsonValue({ maxDepth: 4 }), fc.string(), (value, json, name) => {
        const { value: out } = redact({ json, [name]: [{ deep: `x ${value} y` }], [value]: 1 });
        expect(JSON.stringify(out)).not.toContain(value);
      }),
      { numRuns: runs(500) },
    );
  });

  test('gives one surrogate to one value', () => {
    fc.assert(
      fc.property(secret, fc.array(fc.lorem(), { maxLength: 5 }), (value, texts) => {
        const { value: out } = redact([value, ...texts.map((text) => `${text} ${value} ${text}`)]);
        const [name = ''] = out;
        expect(name).toMatch(/^(?:\w+ )?\[[a-z-]+:1\]$/);
        expect(out.slice(1)).toEqual(texts.map((text) => `${text} ${name} ${text}`));
      }),
      { numRuns: runs(300) },
    );
  });
});
