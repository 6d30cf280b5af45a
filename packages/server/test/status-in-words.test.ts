/** A backend's 400 that only an exception's words tell of: it decides as the one of an HTTP client does. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import { connectRaw, faultIn, textOf } from './wire.ts';

async function told(
  reason: unknown,
  args: object = { name: 'x' },
): Promise<readonly [kind: unknown, text: string]> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { correlationId: () => 'ref' });
  server.registerTool('t', { inputSchema: z.looseObject({}) }, async () => {
    await Promise.resolve();
    throw reason;
  });
  const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: args });
  return [faultIn(answer)['kind'], textOf({ message: answer })];
}

const WAYS: readonly (readonly [name: string, wrap: (body: object) => Error])[] = [
  ['API error 400', (body) => new Error(`API error 400: ${JSON.stringify(body)}`)],
  ['HTTP error!', (body) => new Error(`HTTP error! status: 400, body: ${JSON.stringify(body)}`)],
];

/** What class-validator, Laravel, Django, Rails and authors say of a field. */
const SAID = [
  'name must be shorter than or equal to 20 characters',
  'name must be longer than or equal to 3 characters',
  'The name may not be greater than 20 characters.',
  'Ensure this field has no more than 20 characters.',
  '"x" is not a valid choice.',
  'A valid integer is required.',
  'Start date is after end date',
  'Name must be shorter',
  'Amount exceeds your limit',
  'name should not be empty',
  'property foo should not exist',
  'This field may not be blank.',
  'The selected status is invalid.',
  'Only drafts can be edited',
];

describe.each(WAYS)('%s', (_, wrap) => {
  it.each(SAID)('tells %s', async (said) => {
    const [kind, text] = await told(wrap({ message: said }));
    expect(text).toContain(said.replace(/\.$/, ''));
    expect(kind).not.toBe('internal');
    const [, listed] = await told(wrap({ statusCode: 400, message: [said], error: 'Bad Request' }));
    expect(listed).toContain(said.replace(/\.$/, ''));
  });

  it('names the fields of JSON:API, by pointer and by parameter', async () => {
    const [, byPointer] = await told(
      wrap({ errors: [{ detail: 'must be shorter', source: { pointer: '/data/attributes/name' } }] }),
    );
    expect(byPointer).toContain('name: must be shorter');
    const [, byParameter] = await told(
      wrap({ errors: [{ title: 'Invalid', detail: 'must be shorter', source: { parameter: 'name' } }] }),
    );
    expect(byParameter).toContain('name: must be shorter');
    const [kind, byTitle] = await told(wrap({ errors: [{ code: 'X', title: 'Resource not found' }] }));
    expect([kind, byTitle.includes('"title"'), byTitle.includes('Resource not found')]).toEqual([
      'not_found',
      false,
      true,
    ]);
  });

  it.each([
    'The Content-Type header is missing',
    'Malformed JSON body',
    'Unsupported api-version 2019-01-01',
    'Invalid redirect_uri',
  ])('keeps what is about the request itself: %s', async (said) => {
    const [kind, text] = await told(wrap({ message: said }));
    expect([kind, text.includes(said)]).toEqual(['internal', false]);
  });

  it.each([
    ['API key not valid. Please pass a valid API key.', 'misconfigured'],
    ['invalid_grant', 'misconfigured'],
  ])("takes a refused key for the server's: %s", async (said, expected) => {
    expect((await told(wrap({ error: said })))[0]).toBe(expected);
  });
});

it.each([
  'API error 500: {"message":"name must be shorter than or equal to 20 characters"}',
  'HTTP error! status: 502, body: {"message":"Ensure this field has no more than 20 characters"}',
  'line 400: heap must be shorter than or equal to 20 pages',
  'Worker 400: buffer must be shorter than the heap',
  'Row 400: Start date is after end date of the shard',
  'shard 400: segment may not be greater than 20 blocks',
])('a number, or another status, tells no caller: %s', async (words) => {
  const [kind, text] = await told(new Error(words));
  expect(['internal', 'upstream_failed', 'unavailable']).toContain(kind);
  expect(text).not.toMatch(/shorter|greater|more than|after end/);
});
