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
