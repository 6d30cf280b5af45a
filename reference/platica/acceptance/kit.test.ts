import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignMembers } from '../../acceptance/hostile.ts';
import { exchange, MCP_HEADERS } from '../../acceptance/http.ts';
import { type Kit, startKit } from '../../acceptance/kit.ts';
import { SLOW } from '../../acceptance/program.ts';
import { type Channel, callTool, type Wire } from '../../acceptance/wire.ts';
import { coded, protocolError } from './bridge.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('platica');
}, SLOW);
afterAll(() => kit.stop());

const over = (transport: string): Channel => (transport === 'stdio' ? kit.pipe : kit.endpoint);

/** What an author throws, and the status of the catalogue that it is. */
const KINDS: [string, string, number][] = [
  ['PL-8', 'unauthenticated', 401],
  ['PL-9', 'forbidden', 403],
  ['PL-10', 'notFound', 404],
  ['PL-11', 'conflict', 422],
  ['PL-4', 'rateLimited', 429],
  ['PL-12', 'internal', 500],
  ['PL-4', 'unavailable', 503],
];

describe.each(['stdio', 'HTTP'])('a server of the kit, over %s', (transport) => {
  it.each(KINDS)('%s PL-2 PL-5 PL-14: fault.%s is an execution error with %i', async (_id, kind, status) => {
    const { result, error } = await callTool(over(transport), 'raise', { kind, message: 'This happened' });
    expect(error).toBeUndefined();
    expect(result.isError).toBe(true);
    const body = JSON.parse(result.content[0].text);
    expect(body).toMatchObject({ code: status, error: 'This happened' });
    expect(result.structuredContent).toEqual(body);
    expect(foreignMembers(result)).toEqual([]);
  });

  it.each(['error', 'empty', 'secret', 'text', 'nothing', 'null', 'object', 'driver'])(
    'PL-3 PL-19: what nobody handles, thrown as %s, is -32603 and tells nothing',
    async (what) => {
      const answer = await callTool(over(transport), 'throw', { what });
      expect(answer).not.toHaveProperty('result');
      expect(protocolError(answer)).toEqual(coded(-32603));
      expect(JSON.stringify(answer)).not.toMatch(/plutonium|hunter2|jane\.doe|10\.0\.0\.5|E11000/);
    },
  );

  it('PL-19: so is a schema that fails inside the tool', async () => {
    expect(protocolError(await callTool(over(transport), 'parse'))).toEqual(coded(-32603));
  });

  it('PL-20 PL-21 PL-22 PL-23: arguments that break the schema are an execution error with every issue', async () => {
    const { result } = await callTool(over(transport), 'book', { guest: { email: 'x' }, seats: 12 });
    const { issues } = result.structuredContent;
    expect(result.isError).toBe(true);
    expect(issues.map((issue: Wire) => [issue.path, issue.code])).toEqual([
      [['guest', 'email'], 'invalid_format'],
      [['seats'], 'too_big'],
    ]);
    expect(issues.map((issue: Wire) => Object.keys(issue).sort())).toEqual(
      issues.map(() => ['code', 'message', 'path']),
    );
    expect(result.content[0].text.split('\n')).toEqual(
      issues.map((issue: Wire) => `${issue.path.join('.')}: ${issue.message}`),
    );
  });

  it.each([
    ['PL-15: an unknown tool', 'tools/call', { name: 'nope', arguments: {} }],
    ['PL-18: a call without a name', 'tools/call', {}],
    ['PL-18: params that are a list', 'tools/call', []],
  ])('%s is -32602', async (_name, method, params) => {
    const answer = await over(transport).request(method, params);
    expect(answer).not.toHaveProperty('result');
    expect(protocolError(answer)).toEqual(coded(-32602));
  });
});

describe('what the kit refuses before a tool is found', () => {
  it('PL-18: a line that is no JSON is -32602 with id null', async () => {
    kit.pipe.send('{"jsonrpc":\n');
    const answer = await kit.pipe.find(
      ({ id, error }) => error !== undefined && (id === null || id === undefined),
    );
    expect([protocolError(answer), answer.id]).toEqual([coded(-32602), null]);
  });

  it.each([
    ['PL-18: a body that is no JSON', 400, -32602, { headers: MCP_HEADERS, body: '{"jsonrpc":' }],
    ['PL-17: GET', 405, -32000, { method: 'GET' }],
    ['PL-17: DELETE', 405, -32000, { method: 'DELETE' }],
    [
      'PL-18: a body of another type',
      415,
      -32602,
      { headers: { ...MCP_HEADERS, 'content-type': 'text/plain' }, body: '{}' },
    ],
    [
      'PL-18: an Accept that rules out the answer',
      406,
      -32602,
      { headers: { ...MCP_HEADERS, accept: 'text/html' }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
    ],
  ])('%s is HTTP %i and %i with id null', async (_name, status, code, question) => {
    const answer = await exchange(kit.endpoint.url, question);
    expect(answer.status).toBe(status);
    expect([protocolError(answer.messages[0]), answer.messages[0]?.id]).toEqual([coded(code), null]);
  });
});
