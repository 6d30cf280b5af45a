import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closient } from '../src/dialects/closient/index.ts';
import { DIALECTS, type Dialect } from '../src/dialects/index.ts';
import { mayday } from '../src/dialects/mayday/index.ts';
import { problem } from '../src/dialects/problem/index.ts';
import { foreign, isRefusal, readUnstructured } from '../src/entries/prose.ts';
import { createLanguage, type Executed, type Language, makeFault, type ReadOptions } from '../src/index.ts';
import { NOW, rpc, toolError } from './helpers.ts';

const whole = { dialects: DIALECTS, foreign, prose: readUnstructured };
const plain = createLanguage(whole);
const telling = createLanguage({ ...whole, refusals: isRefusal });

function executed(language: Language, value: unknown, options: ReadOptions = {}): Executed | 'success' {
  const reading = language.read(value, { now: NOW, ...options });
  return reading.failure ? reading.fault.executed : 'success';
}

const http = (status: number, body = ''): object => ({ http: { status, headers: {}, body } });
const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

const DOCUMENT = { kind: 'rate_limited', reaction: 'retryable', executed: 'no', message: 'x' };

describe('a language that knows no words of refusals', () => {
  it.each([
    ['a method that is not known', rpc(-32601, 'Method not found')],
    ['arguments that are wrong', rpc(-32602, 'Missing required argument: amount')],
    ['a limit', http(429)],
    ['a door', http(401, 'Unauthorized')],
  ])('leaves it in doubt: %s', (_name, value) => {
    expect(executed(telling, value)).toBe('no');
    expect(executed(plain, value)).toBe('maybe');
  });

  it('still believes what needs no words', () => {
    expect(executed(plain, refused, { began: false })).toBe('no');
    expect(executed(plain, rpc(-32010, 'x'), { from: 'erlmcp' })).toBe('no');
    expect(executed(plain, toolError('x', { _meta: { 'dev.mayday/fault': DOCUMENT } }))).toBe('no');
  });

  it.each([
    [
      'words of others',
      toolError('Too many requests, wait 5 s', { _meta: { 'dev.mayday/fault': DOCUMENT } }),
    ],
    [
      'a member',
      toolError('x', { structuredContent: { id: 'pay_991' }, _meta: { 'dev.mayday/fault': DOCUMENT } }),
    ],
    ['a note', toolError('x', { _meta: { 'acme/payment': 'pay_991', 'dev.mayday/fault': DOCUMENT } })],
  ])('believes a document alone, and not beside %s', (_what, value) => {
    expect(executed(plain, value)).toBe('maybe');
  });

  it('of one dialect alone believes a document as well, while nothing stands beside it', () => {
    const small = createLanguage({ dialects: [mayday] });
    const _meta = { 'dev.mayday/fault': DOCUMENT };
    expect(executed(small, toolError('x', { _meta }))).toBe('no');
    expect(executed(small, toolError('Your new balance is 900', { _meta }))).toBe('maybe');
  });

  it.each<[string, { [name: string]: unknown }, { [name: string]: string }, Executed]>([
    ['alone', {}, {}, 'no'],
    ["with a type of its server's own", { type: 'https://api.example.com/faults/rate-limited' }, {}, 'no'],
    ['beside an instance', { instance: '/payments/pay_991' }, {}, 'maybe'],
    ['of another type', { type: 'https://api.example.com/orders/7' }, {}, 'maybe'],
    ['under another status', { status: 201 }, {}, 'maybe'],
    ['under a header of its own', {}, { 'x-order-id': '991' }, 'maybe'],
  ])('of problems alone believes one %s', (_what, members, headers, expected) => {
    const small = createLanguage({ dialects: [problem] });
    const shipped = makeFault({ kind: 'rate_limited', message: 'Busy', executed: 'no' });
    const { http } = small.write(shipped, 'problem').wire as { http: { headers: object; body: object } };
    const said = { ...http, headers: { ...http.headers, ...headers }, body: { ...http.body, ...members } };
    expect(executed(small, { http: said })).toBe(expected);
  });

  it('believes no document beside which nobody of it can look', () => {
    const copying: Dialect = {
      ...closient,
      id: 'copying',
      recognise: () => 1,
      read: (wire) => ({
        kind: 'rate_limited',
        message: wire.text,
        executed: 'no',
        certainty: 1,
        evidence: [],
      }),
    };
    const small = createLanguage({ dialects: [copying] });
    expect(executed(small, toolError('x'))).toBe('no');
    expect(executed(small, toolError('x', { _meta: { 'dev.mayday/fault': DOCUMENT } }))).toBe('maybe');
    const larger = createLanguage({ dialects: [copying, mayday] });
    expect(executed(larger, toolError('x', { _meta: { 'dev.mayday/fault': DOCUMENT } }))).toBe('no');
  });

  it('never says `no` where the whole one does not, and nothing else differs', () => {
    const code = fc.constantFrom(-32700, -32600, -32601, -32602, -32603, -32001, -32010, 429);
    const words = fc.constantFrom(
      'Method not found',
      'x is required',
      'Payment made',
      'Too many requests',
      '',
    );
    const status = fc.constantFrom(400, 401, 404, 429, 500, 503);
    const value = fc.oneof(
      fc.tuple(code, words).map(([number, text]) => rpc(number, text)),
      fc.tuple(status, words).map(([number, text]) => http(number, text)),
      words.map((text) => toolError(text)),
    );
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, true, false), (said, began) => {
        const [less, more] = [plain, telling].map((language) => language.read(said, { now: NOW, began }));
        const [without, withWords] = [less, more].map((reading) =>
          reading?.failure === true ? reading.fault.executed : 'success',
        );
        const same = (reading: typeof less): string =>
          JSON.stringify(reading).replace(/"executed":"\w+",/, '');
        expect(same(less)).toBe(same(more));
        expect(without === withWords || (without === 'maybe' && withWords === 'no')).toBe(true);
      }),
    );
  });
});
