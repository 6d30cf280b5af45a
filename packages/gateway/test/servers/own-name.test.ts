/** A tool that its server lists is there: what is said of its name when it is called is how it failed. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, json, open, type Posted, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const text = (said: string): object => ({ isError: true, content: [{ type: 'text', text: said }] });

const ANSWERS: readonly object[] = [
  { result: text('Tool pay not found') },
  { result: text('MCP error -32602: Tool pay not found') },
  { result: text('Unknown tool: pay') },
  { error: { code: -32602, message: 'Tool pay not found' } },
];

/** What a caller of `pay` is told by a server that lists these tools. */
async function told(dialect: string, answer: object, listed: readonly string[]): Promise<Posted> {
  const tools = listed.map((name) => ({ name, inputSchema: { type: 'object' } }));
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const said = method === 'tools/list' ? { result: { tools } } : answer;
    json(response, 200, { jsonrpc: '2.0', id, ...said });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  await post(`${gateway.url}/a/mcp`, call('tools/list'));
  return post(`${gateway.url}/a/mcp`, callTool('pay'), { 'mayday-dialect': dialect });
}

// biome-ignore format: a table
const FAILED: { readonly [dialect: string]: object } = {
  closient: { result: { isError: true, error: { code: -32200, data: { retryable: false } } } },
  onx: { result: { isError: true, error: { code: 4001, retryable: false } } },
  erlmcp: { error: { code: -32031, message: 'Tool execution failed', data: { tool: 'pay' } } },
  qaqnuz: { result: { isError: true, content: [{ type: 'text', text: expect.not.stringContaining('available for your key') }] } },
  platica: { result: { isError: true } },
};

describe.each(ANSWERS)('%j', (answer) => {
  it('may have been executed', async () => {
    const fault = faultIn(await told('mayday', answer, ['pay', 'pays']));
    expect(fault).toMatchObject({ kind: 'not_found', executed: 'maybe', origin: 'server' });
    expect(String(fault?.['advice'])).not.toContain('Did you mean');
  });

  it.each(Object.entries(FAILED))('in %s', async (dialect, message) => {
    expect((await told(dialect, answer, ['pay'])).message).toMatchObject(message);
  });

  it('of a tool that is not listed it is told as what it says', async () => {
    const { error } = (await told('erlmcp', answer, ['look'])).message;
    expect(error).toMatchObject({ code: -32002, message: 'Tool not found', data: { tool: 'pay' } });
  });
});

interface Refusal {
  readonly status: number;
  readonly error: object;
}

const UNKNOWN = { code: -32602, message: 'Unknown tool: pay' };
const REFUSALS: readonly Refusal[] = [
  { status: 400, error: UNKNOWN },
  { status: 404, error: UNKNOWN },
  { status: 429, error: UNKNOWN },
  { status: 400, error: { code: -32602, message: 'Tool "pay" does not exist' } },
  { status: 400, error: { code: -32601, message: 'Method not found: pay' } },
];

/** The same where HTTP refuses it as well, at this endpoint of a server over HTTP. */
async function toldUnder({ status, error }: Refusal, listed: readonly string[], path: string, tool: string) {
  const tools = listed.map((name) => ({ name, inputSchema: { type: 'object' } }));
  const { url, seen } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'tools/call') json(response, status, { jsonrpc: '2.0', id, error });
    else if (method === 'tools/list') json(response, 200, { jsonrpc: '2.0', id, result: { tools } });
    else json(response, 200, { jsonrpc: '2.0', id, result: OPENED });
  });
  const gateway = await open({ upstreams: { a: { url } }, virtual: { desk: { tools: ['a/*'] } } });
  const at = gateway.url + path;
  await post(at, call('tools/list'));
  const fault = faultIn(await post(at, callTool(tool), { 'mayday-dialect': 'mayday' }));
  return { fault, calls: seen.filter(({ body }) => body.includes('tools/call')).length };
}

const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'a', version: '1' },
};

describe.each([
  ['/a/mcp', 'pay'],
  ['/mcp', 'a_pay'],
  ['/desk/mcp', 'a_pay'],
])('at %s', (path, tool) => {
  it.each(REFUSALS)('%j may have been executed', async (refusal) => {
    const { fault, calls } = await toldUnder(refusal, ['pay', 'pays'], path, tool);
    expect(fault).toMatchObject({ executed: 'maybe' });
    expect(String(fault?.['advice'])).not.toContain('Did you mean');
    expect(calls).toBe(1);
  });

  it('an argument that is refused so was not executed', async () => {
    const error = { code: -32602, message: 'Invalid arguments for tool pay: amount is required' };
    const { fault } = await toldUnder({ status: 400, error }, ['pay'], path, tool);
    expect(fault).toMatchObject({ kind: 'invalid_arguments', executed: 'no' });
  });
});

it.each(REFUSALS)('%j of a tool that is not listed was not executed', async (refusal) => {
  const { fault } = await toldUnder(refusal, ['look'], '/a/mcp', 'pay');
  expect(fault).toMatchObject({ executed: 'no' });
});

it('a prompt that is listed is not named as what was meant', async () => {
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const error = { code: -32602, message: 'Prompt ask not found' };
    const said = method === 'prompts/list' ? { result: { prompts: [{ name: 'ask' }] } } : { error };
    json(response, 200, { jsonrpc: '2.0', id, ...said });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const { text: said } = await post(`${gateway.url}/a/mcp`, call('prompts/get', { name: 'ask' }));
  expect(said).toContain('Prompt ask not found');
  expect(said).not.toContain('Did you mean');
});
