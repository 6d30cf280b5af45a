import { onx } from '@mayday/core/dialects/onx';
import { describe, expect, it } from 'vitest';
import { keptError } from './kept-error.ts';
import { addressesIn, safeAddress, safeQuestions, safeRequest } from './questions.ts';

const LEAK = 'connect postgres://admin:hunter2-S3cr3tPassw0rd@10.0.0.5:5432/prod';
const PERSON = 'Ask ada@example.com, born 1815-12-10, at +44 20 7946 0958.';
const PICTURE = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUg==' };
const SOUND = { type: 'audio', mimeType: 'audio/wav', data: 'UklGRiQAAABXQVZF' };
const leaks = (value: unknown): boolean => JSON.stringify(value).includes('hunter2');

describe('a question', () => {
  it('to the user loses its secrets, and keeps whom it is about', () => {
    const params = {
      message: `${PERSON} ${LEAK}`,
      requestedSchema: { type: 'object', properties: { a: { description: LEAK } } },
      mode: 'form',
      _meta: { own: LEAK },
    };
    const asked = safeRequest({ method: 'elicitation/create', params });
    expect(leaks(asked.params.message)).toBe(false);
    expect(asked.params.message).toContain(PERSON);
    expect(leaks(asked.params.requestedSchema)).toBe(false);
    expect([asked.params.mode, asked.params._meta]).toEqual(['form', { own: LEAK }]);
    const bare = { method: 'elicitation/create', params: { mode: 'form' } };
    expect(safeRequest(bare)).toEqual(bare);
  });

  it.each([
    'https://example.com/link?token=Zm9vYmFyYmF6cXV4&code=123456',
    'https://example.com/reset/9f8e7d6c5b4a39281706f5e4d3c2b1a0',
    'https://10.0.0.5/home/ada/x?email=ada@example.com',
    'http://db.internal/a?password=x',
  ])('has an address that can be opened: %s', (url) => {
    expect(safeAddress(url)).toBe(url);
    expect(safeRequest({ method: 'elicitation/create', params: { url } }).params.url).toBe(url);
  });

  it('has no password in its address', () => {
    expect(safeAddress('https://admin:hunter2@example.com/')).not.toContain('hunter2');
  });

  it('to the model loses its secrets, and keeps its pictures, sounds, numbers and meta', () => {
    const params = {
      systemPrompt: LEAK,
      maxTokens: 5,
      _meta: { own: LEAK },
      messages: [
        { role: 'user', content: { type: 'text', text: LEAK } },
        { role: 'user', content: [{ type: 'text', text: LEAK }, PICTURE, SOUND] },
        { role: 'user', content: SOUND },
        { role: LEAK },
        LEAK,
        null,
      ],
    };
    const asked = safeRequest({ method: 'sampling/createMessage', params }).params;
    expect([leaks(asked.systemPrompt), leaks(asked.messages)]).toEqual([false, false]);
    expect([asked.maxTokens, asked._meta]).toEqual([5, { own: LEAK }]);
    expect(asked.messages[1]).toMatchObject({ role: 'user', content: [{ type: 'text' }, PICTURE, SOUND] });
    expect(asked.messages[2]).toEqual({ role: 'user', content: SOUND });
    expect(asked.messages[5]).toBeNull();
    const odd = safeRequest({ method: 'sampling/createMessage', params: { messages: LEAK } });
    expect(leaks(odd)).toBe(false);
  });

  it.each([
    { method: 'roots/list', params: { message: LEAK } },
    { method: 'elicitation/create' },
    { method: 'elicitation/create', params: null },
    { method: 'elicitation/create', params: 'x' },
  ])('is none: %j', (request) => {
    expect(safeRequest(request as never)).toBe(request);
  });

  it('in a result is looked at one by one', () => {
    const request = { method: 'elicitation/create', params: { message: LEAK } };
    const message = { jsonrpc: '2.0' as const, result: { a: 1, inputRequests: { one: request, two: null } } };
    const { result } = safeQuestions(message, onx, { arguments: {}, told: [] });
    expect([result?.['a'], Object.keys(result?.['inputRequests'] as object), leaks(result)]).toEqual([
      1,
      ['one', 'two'],
      false,
    ]);
    for (const inputRequests of [undefined, null, 'x']) {
      const plain = { jsonrpc: '2.0' as const, result: { inputRequests } };
      expect(safeQuestions(plain, onx, { arguments: {}, told: [] })).toBe(plain);
    }
  });
});

describe('an address that a caller named', () => {
  it('is found as deep as four levels', () => {
    expect(addressesIn({ a: 'x', b: ['y', { c: { d: 'z' } }], n: 1, m: null })).toEqual(['x', 'y', 'z']);
    expect(addressesIn({ a: { b: { c: { d: 'in', e: ['out'] } } } })).toEqual(['in']);
    expect([addressesIn('x'), addressesIn(7), addressesIn(null)]).toEqual([['x'], [], []]);
  });
});

describe('an error that a client acts on', () => {
  const url = 'https://example.com/link?token=Zm9vYmFyYmF6cXV4';

  it('keeps its code, its structure and its addresses, and loses its secrets', () => {
    const elicitations = [{ mode: 'url', url, elicitationId: 'a1', message: LEAK }, { url: 7 }];
    const error = { code: -32042, message: LEAK, data: { elicitations, why: LEAK } };
    const kept = keptError({ jsonrpc: '2.0', id: 1, error });
    expect(leaks(kept)).toBe(false);
    expect(kept).toMatchObject({
      id: 1,
      error: {
        code: -32042,
        data: { elicitations: [{ mode: 'url', url, elicitationId: 'a1' }, { url: 7 }] },
      },
    });
  });

  it('is not there, or has no such data', () => {
    const none = { jsonrpc: '2.0' as const, id: 1 };
    expect(keptError(none)).toBe(none);
    for (const data of [{ elicitations: 'x' }, 'x', { a: 1 }]) {
      expect(keptError({ ...none, error: { code: 1, message: 'm', data } }).error).toEqual({
        code: 1,
        message: 'm',
        data,
      });
    }
    expect(keptError({ ...none, error: { code: 1, message: 'm' } }).error).toEqual({ code: 1, message: 'm' });
  });
});
