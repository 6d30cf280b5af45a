/** Whoever is told to change the input is told which part of it, in every document: an author's fields, and a backend's. */
import { fault } from '@mayday/core';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw } from './wire.ts';

const ISSUES = [
  { path: ['when'], message: 'is in the past' },
  { path: ['seats', 0], message: 'is taken' },
];

async function failing(
  dialect: string,
  thrown: unknown,
  method: 'tool' | 'prompt' = 'tool',
): Promise<Message> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { dialect });
  const work = async () => {
    throw thrown;
  };
  server.registerTool('book', {}, work);
  server.registerPrompt('book', {}, work);
  const client = await connectRaw(server);
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return method === 'tool'
    ? client.ask('tools/call', { name: 'book', arguments: {} })
    : client.ask('prompts/get', { name: 'book' });
}

/** What an HTTP client throws, with the body of the answer. */
const http = (status: number, data: object): unknown =>
  Object.assign(new Error(`Request failed with status code ${status}`), { response: { status, data } });

const DIALECTS = ['mayday', 'closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'];

describe.each(DIALECTS)('in %s', (dialect) => {
  it.each([
    ['wrong arguments', fault.invalidArguments('Cannot book', { issues: ISSUES })],
    ['what cannot be accepted', fault.unprocessable('Cannot book', { issues: ISSUES })],
    ['a conflict', fault.conflict('Cannot book', { issues: ISSUES })],
  ])('%s names every field', async (_name, thrown) => {
    const { result, error } = await failing(dialect, thrown);
    const text = JSON.stringify(result?.['content'] ?? error);
    for (const said of [/when\b/, /is in the past/, /seats/, /is taken/]) expect(text).toMatch(said);
  });

  it('a prompt’s failure names them, too', async () => {
    const answer = await failing(dialect, fault.unprocessable('Cannot book', { issues: ISSUES }), 'prompt');
    for (const said of [/when\b/, /is in the past/, /seats/, /is taken/])
      expect(JSON.stringify(answer.error)).toMatch(said);
  });
});

it.each(['erlmcp', 'qaqnuz'])('%s: what the words say already is not said twice', async (dialect) => {
  const words = 'Cannot book. when: is in the past; seats.0: is taken';
  const text = JSON.stringify(await failing(dialect, fault.unprocessable(words, { issues: ISSUES })));
  expect(text.match(/is in the past/g)).toHaveLength(1);
});

it.each([
  [
    'Validation failed',
    http(400, { message: 'Validation failed', errors: [{ field: 'city', message: 'is unknown' }] }),
  ],
  ['a status', http(422, { detail: [{ loc: ['body', 'city'], msg: 'is unknown', type: 'value_error' }] })],
])('ER-44 erlmcp: a backend’s fields are said beside its words: %s', async (_name, thrown) => {
  const { error } = await failing('erlmcp', thrown);
  const reason = expect.stringMatching(/city: is unknown/);
  expect(error).toMatchObject({ code: -32031, data: { reason } });
});

it.each([400, 422])('QA-6 qaqnuz: a provider’s fields stay with the provider: %d', async (status) => {
  const thrown = http(status, { message: 'Bad', errors: [{ field: 'cust_7_iban', message: 'is unknown' }] });
  expect(JSON.stringify(await failing('qaqnuz', thrown))).not.toContain('iban');
});

it('PL-4 PL-14 platica: they stand where the document has them', async () => {
  const { result } = await failing(
    'platica',
    fault.unprocessable('Cannot book', { issues: ISSUES, advice: 'Choose.', executed: 'no' }),
  );
  const body = {
    code: 422,
    error: 'Cannot book',
    details: 'Choose.',
    errors: [
      { field: 'when', message: 'is in the past' },
      { field: 'seats.0', message: 'is taken' },
    ],
  };
  expect(result).toEqual({
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(body) }],
    structuredContent: body,
  });
});
