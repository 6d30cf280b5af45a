/** Words that say no more than when to come back, and statuses of a backend in whatever words. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { error, MISCONFIGURED, said, thrownBy } from './thrown.ts';
import { connectRaw, faultIn } from './wire.ts';

describe('what only asks to come back', () => {
  it.each<readonly [string, number | undefined]>([
    ['Please try again later', undefined],
    ['Please try again', undefined],
    ['Something went wrong. Please try again.', undefined],
    ['Try again in 1 second', 1000],
    ['Please wait 30 seconds and retry', 30_000],
    ['Retry in 10 seconds', 10_000],
  ])('is told, and passes: %s', async (words, afterMs) => {
    const answer = await thrownBy(new Error(words), { city: 'Oslo' });
    expect(faultIn(answer)).toMatchObject({
      kind: 'unavailable',
      retryable: true,
      executed: 'maybe',
      message: words,
      retry: afterMs === undefined ? { when: 'backoff' } : { when: 'after_wait', after_ms: afterMs },
    });
  });

  it.each(['503 unavailable', "We couldn't complete this right now. Please try again in a moment"])(
    'passes, whoever else it speaks of: %s',
    async (words) => {
      expect(faultIn(await thrownBy(new Error(words)))).toMatchObject({
        kind: 'unavailable',
        retryable: true,
        executed: 'maybe',
      });
    },
  );

  it('says the wait where the words are the operator’s', async () => {
    const answer = await thrownBy(new Error('Temporary failure, please try again in 5 seconds'));
    expect(faultIn(answer)).toMatchObject({ kind: 'unavailable', retry: { after_ms: 5000 } });
  });

  it('does not outdo what is said beside it', async () => {
    expect((await said(new Error('Wrong password, try again later')))[0]).toBe('unauthenticated');
    expect((await said(new Error('Invalid city, please try again')))[0]).not.toBe('unavailable');
  });
});

describe('a backend that does not know who asks', () => {
  it.each([
    'Failed to get weather: 401 Unauthorized',
    'Failed to fetch weather data: 401 Unauthorized',
    'Failed to get weather: Unauthorized',
    'Failed to get weather: 407 Proxy Authentication Required',
    'Error 401: Unauthorized',
    'HTTP error! Status: 401 Unauthorized',
    'API responded with status 401: Unauthorized',
    'Could not load weather (401 Unauthorized)',
    '401 Unauthorized',
    'Unauthorized (401)',
  ])('is the operator’s to tell: %s', async (words) => {
    expect((await said(new Error(words), { city: 'Oslo' }))[0]).toBe('misconfigured');
    expect((await said(new Error(words), { api_key: 'k-123' }))[0]).toBe('unauthenticated');
  });

  it('is nobody else where the author says that the caller is not signed in', async () => {
    for (const words of ['Unauthorized', 'Not logged in', 'You are not authorized'])
      expect((await said(new Error(words), { city: 'Oslo' }))[0]).toMatch(/^(?:unauthenticated|forbidden)$/);
  });

  it.each([
    { name: 'InvalidAccessKeyId', $metadata: { httpStatusCode: 403 }, $fault: 'client' },
    { code: 'InvalidAccessKeyId' },
  ])('is said of keys of AWS: %j', async (members) => {
    const words = 'The AWS Access Key Id you provided does not exist in our records.';
    expect(await said(error(words, members), { bucket: 'b' })).toEqual(['misconfigured', MISCONFIGURED]);
  });
});

describe('an address with a port', () => {
  it.each([
    ['HTTP error 429 for https://api.example.com:8443/x: slow down', 'rate_limited'],
    ['429 from api.example.com:8443, slow down', 'rate_limited'],
    ['HTTP error 429 for http://localhost:3000/x: {"message":"slow down"}', 'rate_limited'],
    ['HTTP error 400 for https://api.example.com:8443/x: Please scroll down', 'invalid_arguments'],
    ['POST https://api.example.com:8443/orders failed: 400 price went down, refresh', 'invalid_arguments'],
    ['Primary db.internal:5432 is down', 'unavailable'],
    ['https://api.example.com:8443/x is down', 'unavailable'],
  ])('%s is %s', async (words, kind) => {
    expect((await said(new Error(words), { city: 'Oslo' }))[0]).toBe(kind);
  });
});

it('takes a step that is named for what it is', async () => {
  for (const words of [
    'Database connection not configured. Call connect first.',
    'Workspace not initialized. Call init first',
  ])
    expect(await said(new Error(words))).toEqual(['not_ready', expect.stringContaining(words.slice(0, 40))]);
});

describe('an error result', () => {
  async function returned(text: string): Promise<readonly string[]> {
    const server = guard(new McpServer({ name: 's', version: '1' }));
    server.registerTool('t', {}, async () => ({ isError: true, content: [{ type: 'text', text }] }));
    const { result } = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: {} });
    const blocks = (result?.['content'] ?? []) as readonly { readonly text: string }[];
    return blocks.map((block) => block.text);
  }

  it.each([
    'Payment made; receipt address invalid',
    'Payment taken, mail rate limited',
    'Bad Request: payment made, receipt address invalid',
    'User created; invalid avatar url',
  ])('tells nobody to do again what was done: %s', async (words) => {
    expect(await returned(words)).toEqual([
      words,
      'A part of it was done. Find out which; do not repeat the call.',
    ]);
  });

  it('comes with advice where it names nothing but what is wrong', async () => {
    const [own, advice] = await returned('Invalid city');
    expect(own).toBe('Invalid city');
    expect(advice).toMatch(/^Correct the arguments, then call again\./);
  });
});
