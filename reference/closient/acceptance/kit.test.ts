import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foreignMembers, HOSTILE } from '../../acceptance/hostile.ts';
import { exchange, MCP_HEADERS, post } from '../../acceptance/http.ts';
import { type Kit, startKit } from '../../acceptance/kit.ts';
import { SLOW } from '../../acceptance/program.ts';
import { type Channel, callTool, type Wire } from '../../acceptance/wire.ts';
import { expectBadRequest } from './judge.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit('closient');
}, SLOW);
afterAll(() => kit.stop());

const TRANSPORTS = ['stdio', 'HTTP'] as const;
const over = (transport: string): Channel => (transport === 'stdio' ? kit.pipe : kit.endpoint);

/** What an author throws, and the row of the document’s table that it is. */
const KINDS: [string, string, number, string, number, boolean][] = [
  ['CL-17', 'unauthenticated', -32001, 'unauthorized', 401, false],
  ['CL-18', 'forbidden', -32002, 'forbidden', 403, false],
  ['CL-19', 'rateLimited', -32003, 'rate_limited', 429, true],
  ['CL-20', 'invalidRequest', -32100, 'bad_request', 400, false],
  ['CL-21', 'invalidArguments', -32101, 'validation_error', 400, false],
  ['CL-22', 'unprocessable', -32102, 'unprocessable_entity', 422, false],
  ['CL-23', 'notFound', -32200, 'not_found', 404, false],
  ['CL-24', 'conflict', -32201, 'conflict', 409, false],
  ['CL-25', 'internal', -32300, 'internal_error', 500, true],
];

describe.each(TRANSPORTS)('a server of the kit, over %s', (transport) => {
  it.each(KINDS)('%s: fault.%s is %i', async (_id, kind, code, name, status, retryable) => {
    // A limit is waited out: of a tool that may have changed something, its author has to say that it did not.
    const options = kind === 'rateLimited' ? { executed: 'no' } : {};
    const { result } = await callTool(over(transport), 'raise', { kind, message: 'This happened', options });
    expect(result.error).toMatchObject({
      code,
      data: { type: `https://closient.com/docs/errors/${name}`, status, error_code: name, retryable },
    });
    expect([result.error.data.title, result.isError]).toEqual([result.error.message, true]);
    expect(foreignMembers(result)).toEqual([]);
  });

  it('CL-8: the words of a fault are the detail', async () => {
    const message = 'No product found for GTIN 45671430692405';
    const { result } = await callTool(over(transport), 'raise', { kind: 'notFound', message });
    expect([result.error.message, result.error.data.detail]).toEqual(['Not Found', message]);
  });

  it('CL-19: a wait is retry_after, in seconds, rounded up', async () => {
    const options = { executed: 'no', retry: { afterMs: 29_001 } };
    const { result } = await callTool(over(transport), 'raise', {
      kind: 'rateLimited',
      message: 'Slow',
      options,
    });
    expect(result.error.data.retry_after).toBe(30);
  });

  it('CL-19: fault.rateLimited of a tool that may have changed something is none to wait out', async () => {
    const options = { retry: { afterMs: 1000 } };
    const given = { kind: 'rateLimited', message: 'Mail is busy', options };
    const { result } = await callTool(over(transport), 'raise', given);
    expect([result.error.code, result.error.data.retryable]).toEqual([-32300, false]);
    expect(result.content[0].text).toContain('It may have happened; check before you repeat a change.');
  });

  it.each(['error', 'empty', 'secret', 'text', 'nothing', 'null', 'object', 'driver'])(
    'CL-25: what is thrown as %s is -32300, retryable, and told to nobody',
    async (what) => {
      const { result } = await callTool(over(transport), 'throw', { what });
      expect([result.error.code, result.error.data.status, result.error.data.retryable]).toEqual([
        -32300,
        500,
        true,
      ]);
      expect(JSON.stringify(result)).not.toMatch(/plutonium|hunter2|jane\.doe|10\.0\.0\.5|E11000/);
    },
  );

  it('CL-25: a schema that fails inside the tool is the server’s failure, not the caller’s', async () => {
    const { result } = await callTool(over(transport), 'parse');
    expect([result.error.code, result.error.data.retryable]).toEqual([-32300, true]);
  });

  it('CL-21: arguments that break the schema are -32101 with every field', async () => {
    const { result } = await callTool(over(transport), 'book', { guest: { email: 'x' }, seats: 12 });
    expect(result.error.code).toBe(-32101);
    expect(result.error.data.errors.map((issue: Wire) => issue.field)).toEqual(['guest.email', 'seats']);
  });

  it('CL-23: an unknown tool is -32200', async () => {
    const { result } = await callTool(over(transport), 'nope');
    expect([result?.error?.code, result?.error?.data?.error_code]).toEqual([-32200, 'not_found']);
  });

  it('CL-15: a success stays as it is', async () => {
    const { result } = await callTool(over(transport), 'book', { guest: { email: 'a@b.co' }, seats: 2 });
    expect(result.content).toEqual([{ type: 'text', text: '2 booked' }]);
    expect(result).not.toHaveProperty('error');
  });

  it('CL-20: a call without a name is -32100', async () => {
    expectBadRequest(await over(transport).request('tools/call', {}));
  });
});

describe('what the kit refuses before a tool is found', () => {
  const url = (): string => kit.endpoint.url;

  it('CL-20: a line that is no JSON is -32100 with id null', async () => {
    kit.pipe.send('{"jsonrpc":\n');
    const answer = await kit.pipe.find(
      ({ id, error }) => error !== undefined && (id === null || id === undefined),
    );
    expectBadRequest(answer);
    expect(answer.id).toBeNull();
  });

  it.each([
    ['a body that is no JSON', 400, { headers: MCP_HEADERS, body: '{"jsonrpc":' }],
    ['GET', 405, { method: 'GET' }],
    [
      'a body that is no JSON by its type',
      415,
      { headers: { ...MCP_HEADERS, 'content-type': 'text/plain' }, body: '{}' },
    ],
    [
      'an Accept that rules out the answer',
      406,
      { headers: { ...MCP_HEADERS, accept: 'text/html' }, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' },
    ],
  ])('CL-20: %s is HTTP %i and -32100 with id null', async (_name, status, question) => {
    const answer = await exchange(url(), question);
    expect(answer.status).toBe(status);
    expectBadRequest(answer.messages[0]);
    expect(answer.messages[0]?.id).toBeNull();
  });

  it('CL-20: a body that is too large is HTTP 413 and -32100', async () => {
    const huge = HOSTILE.find(({ kind }) => kind === 'too_large');
    const answer = await post(url(), huge?.bytes);
    expect(answer.status).toBe(413);
    expectBadRequest(answer.messages[0]);
  });
});
