import { describe, expect, it } from 'vitest';
import { createLanguage, language, makeFault, read, write } from './index.ts';

/** As JavaScript gives them: nobody checks a type there. */
const given = (options: unknown) => options as never;

const FAULT = makeFault({ kind: 'rate_limited', message: 'Too many calls' });

describe('options that nobody reads', () => {
  it.each([
    [
      { trustDeclaration: false },
      'Unknown option `trustDeclaration` of `read`; it has from, now, disguised, began, trustDeclarations, called',
    ],
    [{ trustDeclarations: 'no' }, 'Expected `trustDeclarations` of `read` to be a boolean, got a string'],
    [{ disguised: 1 }, 'Expected `disguised` of `read` to be a boolean, got a number'],
    [{ now: null }, 'Expected `now` of `read` to be a number, got null'],
    [{ called: 'book' }, 'Expected `called` of `read` to be an object, got a string'],
  ])('read refuses %j', (options, sentence) => {
    expect(() => read({ result: {} }, given(options))).toThrow(new TypeError(sentence));
    expect(() => language.read('text', given(options))).toThrow(new TypeError(sentence));
  });

  it.each([
    [
      { revisions: '2025-11-25' },
      'Unknown option `revisions` of `write`; it has id, method, placement, correlationId, now, revision, structuredContent, redact',
    ],
    [{ structuredContent: 'false' }, 'Expected `structuredContent` of `write` to be a boolean, got a string'],
  ])('write refuses %j', (options, sentence) => {
    expect(() => write(FAULT, 'mayday', given(options))).toThrow(new TypeError(sentence));
  });

  it('a language refuses them too', () => {
    expect(() => createLanguage(given({ dialects: [], redactor: () => undefined }))).toThrow(
      'Unknown option `redactor` of a language; it has dialects, foreign, prose, disguised, refusals, redact',
    );
  });

  it('what is not set is left out', () => {
    expect(read({ result: {} }, given({ from: undefined, trustDeclarations: undefined })).failure).toBe(
      false,
    );
    expect(
      write(FAULT, 'mayday', given({ id: null, revision: undefined, redact: false })).wire,
    ).toMatchObject({
      jsonrpc: '2.0',
    });
  });
});
