import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignMembers } from '../../acceptance/hostile.ts';
import { exchange, MCP_HEADERS } from '../../acceptance/http.ts';
import { type Kit, startKit } from '../../acceptance/kit.ts';
import { SLOW } from '../../acceptance/program.ts';
import { type Channel, callTool } from '../../acceptance/wire.ts';
import { failure } from './platform.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('qaqnuz');
}, SLOW);
afterAll(() => kit.stop());

const over = (transport: string): Channel => (transport === 'stdio' ? kit.pipe : kit.endpoint);
const KINDS = [
  'invalidArguments',
  'forbidden',
  'unauthenticated',
  'approvalRequired',
  'rateLimited',
  'unavailable',
  'upstreamFailed',
  'timeout',
  'notFound',
  'conflict',
  'internal',
];

describe.each(['stdio', 'HTTP'])('a server of the kit, over %s', (transport) => {
  it.each(KINDS)('QA-1 QA-4 QA-5: fault.%s is one text with isError, and nothing else', async (kind) => {
    const options = { retry: { afterMs: 1000 }, details: { inner: 'shelf 9' } };
    const answer = await callTool(over(transport), 'raise', { kind, message: 'This happened', options });
    expect(Object.keys(answer).sort()).toEqual(['id', 'jsonrpc', 'result']);
    expect(answer.result).toEqual(failure(expect.stringMatching(/\w/)));
    expect(JSON.stringify(answer)).not.toContain('shelf 9');
  });

  it.each(['error', 'empty', 'secret', 'text', 'nothing', 'null', 'object', 'driver'])(
    'QA-2 QA-3 QA-7: what is thrown as %s crosses as one text that tells nothing',
    async (what) => {
      const { result } = await callTool(over(transport), 'throw', { what });
      expect(result).toEqual(failure(expect.stringMatching(/\w/)));
      expect(JSON.stringify(result)).not.toMatch(/plutonium|hunter2|jane\.doe|10\.0\.0\.5|E11000/);
    },
  );

  it('QA-9 QA-7: a schema that fails inside the tool is not the caller’s validation', async () => {
    const { result } = await callTool(over(transport), 'parse');
    expect(result).toEqual(failure(expect.not.stringMatching(/total|argument|invalid input/i)));
  });

  it('QA-9: arguments that break the schema are named, all of them', async () => {
    const { result } = await callTool(over(transport), 'book', { guest: { email: 'x' }, seats: 12 });
    expect(result).toEqual(failure(expect.stringMatching(/guest\.email.*seats/s)));
  });

  it('QA-15 QA-10: an unknown tool is refused in words that tell no reason', async () => {
    const { result } = await callTool(over(transport), 'nope');
    expect(result).toEqual(failure(expect.not.stringMatching(/nope|unknown|found|exist|disabled|scope/i)));
  });

  it('QA-2 QA-12: a tool that never answers ends', async () => {
    const { result } = await callTool(over(transport), 'hang');
    expect(result).toEqual(failure(expect.stringMatching(/\w/)));
  });

  it('QA-3: what fails outside a call tells nothing either', async () => {
    const answer = await over(transport).request('resources/read', { uri: 'note://broken' });
    expect(JSON.stringify(answer)).not.toMatch(/hunter2|jane\.doe|10\.0\.0\.5/);
    expect(foreignMembers(answer)).toEqual([]);
  });
});

describe('what the kit refuses before a tool is found', () => {
  it.each([
    ['a body that is no JSON', 400, { headers: MCP_HEADERS, body: '{"jsonrpc":' }],
    ['GET', 405, { method: 'GET' }],
    [
      'a body of another type',
      415,
      { headers: { ...MCP_HEADERS, 'content-type': 'text/plain' }, body: '{}' },
    ],
  ])('QA-3: %s is HTTP %i and tells nothing of another dialect', async (_name, status, question) => {
    const answer = await exchange(kit.endpoint.url, question);
    expect(answer.status).toBe(status);
    expect(answer.messages[0]?.id).toBeNull();
    expect(answer.messages[0]?.error).not.toHaveProperty('data');
  });
});
