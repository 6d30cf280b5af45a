import { describe, expect, it } from 'vitest';
import type { Kind } from '../kinds.ts';
import { readBody, readProse } from './index.ts';
import { DISPUTED, SILENT, TEXTS } from './prose.fixture.ts';

describe('readProse', () => {
  for (const [kind, texts] of Object.entries(TEXTS)) {
    it(`reads ${texts.length} texts as ${kind}`, () => {
      const wrong = texts.filter((text) => readProse(text)?.kind !== (kind as Kind));
      expect(wrong).toEqual([]);
    });
  }

  it.each(['check', 'look at the state'])('takes our own caution for no part of it: %s', (verb) => {
    const caution = `It may have happened; ${verb} before you repeat a change.`;
    for (const words of ['Connection lost', 'Timed out', 'Internal error', 'Unavailable'])
      expect(readProse(`${words}. ${caution}`)?.kind).toBe(readProse(words)?.kind);
    expect(readProse(caution)).toBeUndefined();
  });

  it('says nothing about a text that says nothing', () => {
    expect(SILENT.filter((text) => readProse(text) !== undefined)).toEqual([]);
  });

  it('does not take a lack of means for a thing that is absent, nor retries for a size', () => {
    expect(readProse('No connection to 10.0.0.5')).toBeUndefined();
    expect(readProse('Reached the max retries per request limit (which is 20)')?.kind).not.toBe('too_large');
  });

  it('tells what a client cannot do from what is wrong with the arguments', () => {
    const words = 'Cannot request input: the client on this request did not declare the required capability';
    expect(readProse(words)?.kind).toBe('unsupported');
  });

  it('hears what is unknown from either side', () => {
    for (const text of ['city "Atlantis" is unknown. Known cities: Berlin, Paris', 'Station X7 is unknown'])
      expect(readProse(text)).toMatchObject({ kind: 'not_found', certainty: 0.86 });
    expect(readProse('The reason is unknown')?.certainty ?? 0).toBeLessThan(0.6);
  });

  it('stands by its reading where it disputes a label', () => {
    expect(DISPUTED.map(({ text }) => readProse(text)?.kind)).toEqual(DISPUTED.map(({ read }) => read));
  });

  it('never asks for a retry of an answer that is not JSON', () => {
    expect(readProse('Unexpected token \'<\', "<html>" is not valid JSON')).toMatchObject({
      kind: 'upstream_failed',
      retryable: false,
    });
  });

  it('leaves out `retryable` where the text does not decide it', () => {
    expect(readProse('connect ECONNREFUSED 127.0.0.1:1')).not.toHaveProperty('retryable');
  });

  it('puts what decided first in the evidence', () => {
    const reading = readProse('Request failed with status code 404');
    expect(reading?.evidence[0]).toEqual({ by: 'status', says: 'HTTP status 404', kind: 'not_found' });
  });

  it('keeps the status', () => {
    expect(readProse('HTTP 503 Service Unavailable')?.status).toBe(503);
  });

  it('does not take a count for a status', () => {
    expect(readProse('Processed 404 rows in 500 ms')).toBeUndefined();
    expect(readProse('The query returned 404 rows')).toBeUndefined();
  });

  it('is less sure when a text says two things', () => {
    const one = readProse('Forbidden')?.certainty ?? 0;
    const two = readProse('Forbidden. The page does not exist')?.certainty ?? 1;
    expect(two).toBeLessThan(one);
  });

  it('does not take what stands in quotes, in a path or in a URL for a statement', () => {
    expect(readProse('No notebook matches "permission denied"')?.kind).toBe('not_found');
    expect(readProse('Cannot open /var/timeout/forbidden/a.txt: no such file')?.kind).toBe('not_found');
    expect(readProse('https://a.example/rate-limit?x=forbidden was not found')?.kind).toBe('not_found');
  });

  it('looks inside the quotes when there is nothing outside', () => {
    expect(readProse("{'error': 'rate limit exceeded'}")?.kind).toBe('rate_limited');
  });
});

describe('the code beside the text', () => {
  it('decides when the text says nothing', () => {
    expect(readProse('nope', { code: -32602 })?.kind).toBe('invalid_arguments');
    expect(readProse('nope', { code: -32700 })?.kind).toBe('parse_error');
    expect(readProse('nope', { code: -32603 })).toBeUndefined();
    expect(readProse('nope', { code: -32000 })).toBeUndefined();
  });

  it('gives way to a text that says more', () => {
    expect(readProse('Tool x not found', { code: -32602 })?.kind).toBe('not_found');
    expect(readProse('connect ECONNREFUSED', { code: -32600 })?.kind).toBe('unavailable');
    expect(readProse('Unknown tool: x', { code: -32601 })?.subject).toEqual({ type: 'tool', id: 'x' });
  });

  it('is a method that does not exist for -32601', () => {
    expect(readProse("Method 'a/b' is not available", { code: -32601 })).toMatchObject({
      kind: 'unsupported',
      subject: { type: 'method', id: 'a/b' },
    });
  });

  it('is read as a status when it is one', () => {
    expect(readProse('nope', { code: 409 })?.kind).toBe('conflict');
  });

  it('tells a server of its own failure from one upstream', () => {
    expect(readProse('Internal Server Error', { code: -32603 })?.kind).toBe('internal');
    expect(readProse('Internal Server Error')?.kind).toBe('upstream_failed');
  });
});

describe('the status beside the text', () => {
  it('decides when the text says nothing', () => {
    expect(readProse('nope', { status: 413 })?.kind).toBe('too_large');
    expect(readProse('', { status: 500 })?.kind).toBe('internal');
  });

  it('says little when it is 400', () => {
    expect(readProse('Server not initialized', { status: 400 })?.kind).toBe('not_ready');
  });
});

describe('subjects', () => {
  it.each([
    ['Unknown tool: book_rooms', { type: 'tool', id: 'book_rooms' }],
    ['Tool "book_rooms" not found', { type: 'tool', id: 'book_rooms' }],
    ['Prompt summarise not found', { type: 'prompt', id: 'summarise' }],
    ['Unknown resource: notes://9', { type: 'resource', id: 'notes://9' }],
    ['Session not found', { type: 'session' }],
  ])('%s', (text, subject) => {
    expect(readProse(text)?.subject).toEqual(subject);
  });

  it.each([
    ['Unsupported protocol version: 2019-01-01', { type: 'protocol_version', id: '2019-01-01' }],
    [
      'Bad Request: Unsupported protocol version (supported versions: 2025-11-25)',
      { type: 'protocol_version' },
    ],
    ['Protocol version 1999-12-31 is not supported', { type: 'protocol_version', id: '1999-12-31' }],
  ])('of the protocol itself: %s', (text, subject) => {
    expect(readProse(text, { code: -32602 })?.subject).toEqual(subject);
  });

  it.each(['Bad Request: No valid session ID provided', 'Invalid session ID supplied'])(
    'takes no verb for a name: %s',
    (text) => expect(readProse(text, { code: -32000, status: 400 })?.subject).toEqual({ type: 'session' }),
  );

  it('takes the name of the tool from beside the text', () => {
    expect(readProse('Unknown tool', { tool: 'book_rooms' })?.subject).toEqual({
      type: 'tool',
      id: 'book_rooms',
    });
  });

  it('does not blame the tool for what it did not find', () => {
    expect(readProse('Error executing tool search: page not found')?.subject).toEqual({ type: 'page' });
  });
});

describe('readBody', () => {
  it('reads nothing from a body that reports no failure', () => {
    for (const body of [null, 1, true, {}, [], { rooms: [] }, { status: 'ok', code: 200 }])
      expect(readBody(body)).toBeUndefined();
  });

  it('reads a string as a text', () => {
    expect(readBody('Forbidden')?.kind).toBe('forbidden');
  });

  it('believes a declaration of the body', () => {
    expect(readBody({ error: { message: 'Rate limit exceeded', retryable: false } })?.retryable).toBe(false);
  });

  it('finds the human message', () => {
    expect(readBody({ error: { code: 404, message: 'No such room' } })).toMatchObject({
      kind: 'not_found',
      status: 404,
      message: 'No such room',
    });
  });

  it('does not read what a client echoes of its own request', () => {
    const body = {
      status: 404,
      message: 'gone',
      config: { timeout: 0, headers: { authorization: 'expired' } },
    };
    expect(readBody(body)?.kind).toBe('not_found');
  });
});

describe('a field and what it has to be', () => {
  it.each([
    '{"error":"name is required","code":500}',
    '{"message":"limit must be <= 100","status":500}',
    '{"error":"`city` cannot be empty","code":500}',
  ])('is the caller’s matter, whatever status a framework puts beside it: %s', (text) => {
    expect(readProse(text)).toMatchObject({ kind: 'invalid_arguments' });
  });

  it.each([
    ['{"error":"Something broke","code":500}', 'upstream_failed'],
    ['API key is required', 'misconfigured'],
    ['Authentication is required', 'unauthenticated'],
  ])('is not in: %s', (text, kind) => {
    expect(readProse(text)?.kind).toBe(kind);
  });

  it('is read the same with blanks around it', () => {
    for (const text of ['Insufficient funds', 'No file is open. Join a channel first.', 'Room 7 not found'])
      expect(readProse(`  ${text}\n`)?.kind).toBe(readProse(text)?.kind);
  });
});
