import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KIND_NAMES } from '../kinds.ts';
import { detectDisguised, readBody, readProse } from './index.ts';
import { TEXTS } from './prose.fixture.ts';

const texts = Object.values(TEXTS).flat();
const context = fc.record(
  {
    code: fc.oneof(fc.integer(), fc.constantFrom(-32700, -32603, -32602, -32601, -32600, 404)),
    status: fc.integer(),
    tool: fc.string(),
  },
  { requiredKeys: [] },
);
/** Pieces of real failures, glued with anything: what finds the edges of a scanner. */
const spliced = fc
  .array(
    fc.oneof(
      fc.constantFrom(...texts),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '{', '[', '<', '\\"', '\n', '://', "'"),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.map((piece) => piece.slice(0, 120)).join(''));

describe('reading is total', () => {
  it('gives a known kind, a certainty and evidence, or nothing, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), spliced), context, (text, beside) => {
        const reading = readProse(text, beside);
        const kinds: readonly (string | undefined)[] = [...KIND_NAMES, undefined];
        expect(kinds).toContain(reading?.kind);
        expect(reading?.certainty ?? 0.5).toBeGreaterThan(0);
        expect(reading?.certainty ?? 0.5).toBeLessThan(1);
        expect(reading?.evidence.length ?? 1).toBeGreaterThan(0);
        expect((reading?.evidence ?? []).every(({ says }) => says.length <= 90)).toBe(true);
      }),
    );
  });

  it('gives the same answer each time', () => {
    fc.assert(
      fc.property(spliced, spliced, (text, other) => {
        const first = readProse(text);
        readProse(other);
        expect(readProse(text)).toEqual(first);
      }),
    );
  });

  it('takes any body', () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withMap: true, withBigInt: true, withDate: true }),
        (body) => {
          expect(() => readBody(body)).not.toThrow();
        },
      ),
    );
  });

  it('takes any result for a disguised failure', () => {
    fc.assert(
      fc.property(spliced, fc.option(fc.jsonValue(), { nil: undefined }), (text, structured) => {
        const probability = detectDisguised(text, structured)?.probability ?? 0;
        expect(probability).toBeGreaterThanOrEqual(0);
        expect(probability).toBeLessThan(1);
      }),
    );
  });
});

describe('large input', () => {
  const megabytes = 10 * 1024 * 1024;

  it.each([
    ['letters', 'a'],
    ['spaces', ' '],
    ['quotes', '"'],
    ['braces', '{"'],
    ['brackets', '[{'],
    ['tags', '<a'],
    ['words that start phrases', 'not no failed invalid missing '],
    ['digits', '404 '],
    ['backslashes', '{\\"'],
    ['colons', 'a: '],
    ['names', 'aB_'],
  ])('of %s is read', (_, piece) => {
    const text = piece.repeat(megabytes / piece.length);
    expect(() => readProse(text)).not.toThrow();
  });

  it('is read at its beginning and at its end', () => {
    const filler = 'lorem ipsum '.repeat(100_000);
    expect(readProse(`Permission denied. ${filler}`)?.kind).toBe('forbidden');
    expect(readProse(`${filler}\nPermission denied`)?.kind).toBe('forbidden');
  });

  it('does not overflow on nesting', () => {
    const deep = 100_000;
    expect(() => readProse(`${'[{"error":'.repeat(deep)}1${'}]'.repeat(deep)}`)).not.toThrow();
  });
});
