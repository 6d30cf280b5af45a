/** What a server's process said, how it is started and how it ended: for operators, and for no caller of a document. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, open, post, until } from '../tools.ts';

afterEach(cleanUp);

const DIES = 'console.error("FATAL: table customers_pii missing, ask jane.doe");process.exit(3)';
const INTERNALS = /billing|customers_pii|jane|exit|FATAL|command|stderr|\bnode\b/i;

it.each([
  ['qaqnuz', { result: { isError: true, content: [{ type: 'text', text: 'Misconfigured' }] } }],
  ['platica', { error: { code: -32603, message: 'Misconfigured' } }],
  ['onx', { result: { error: { message: 'Misconfigured', details: { reason: 'misconfigured' } } } }],
  ['erlmcp', { error: { code: -32031, message: 'Tool execution failed' } }],
  ['closient', { result: { error: { data: { detail: 'Misconfigured' } } } }],
])('QA-3 QA-7 EM-37 %s: a server that ends when it is started', async (dialect, answer) => {
  const gateway = await open({
    upstreams: { 'billing-db': { command: process.execPath, args: ['-e', DIES] } },
  });
  for (let time = 0; time < 3; time++) {
    const asked = { 'mayday-dialect': dialect };
    const { message } = await post(`${gateway.url}/billing-db/mcp`, callTool('x'), asked);
    expect(message).toMatchObject(answer);
    expect(JSON.stringify(message)).not.toMatch(INTERNALS);
  }
});

it.each([
  ['qaqnuz', { result: { content: [{ type: 'text', text: 'Timed out' }] } }],
  ['platica', { error: { code: -32603, message: 'Timed out' } }],
])('QA-3 QA-7 %s: a server that says nothing', async (dialect, answer) => {
  const silent = ['-e', 'setInterval(() => {}, 1000)'];
  const hangs = { command: process.execPath, args: silent, timeout_ms: 400, open_timeout_ms: 400 };
  const gateway = await open({ upstreams: { 'billing-db': hangs } });
  const asked = { 'mayday-dialect': dialect };
  const { message } = await post(`${gateway.url}/billing-db/mcp`, callTool('x'), asked);
  expect(message).toMatchObject(answer);
});

/** A server that lists a tool which changes something and one that only reads, and never answers a call of either. */
const NEVER = `
  const said = { initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    'tools/list': { tools: [
      { name: 'pay', inputSchema: { type: 'object' } },
      { name: 'look', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    ] } };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'tools/call' && params.arguments.dies) process.exit(1);
    const result = said[method];
    if (result !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });`;

it.each([
  ['platica', 'silence', {}, 400, 'Timed out'],
  ['platica', 'an end', { dies: true }, 20_000, 'Connection lost'],
  ['qaqnuz', 'silence', {}, 400, 'Timed out'],
  ['qaqnuz', 'an end', { dies: true }, 20_000, 'Connection lost'],
])(
  'PL-12 PL-19 %s: %s in the middle of a change leaves open whether it was made',
  async (dialect, _how, args, timeoutMs, words) => {
    const server = { command: process.execPath, args: ['-e', NEVER], timeout_ms: timeoutMs };
    const gateway = await open({ upstreams: { till: { ...server, retry: { attempts: 1 } } } });
    const asked = { 'mayday-dialect': dialect };
    const url = `${gateway.url}/till/mcp`;
    await until(async () => (await post(url, call('tools/list'), asked)).message.result !== undefined);
    const [paid, looked] = [
      await post(url, callTool('pay', args), asked),
      await post(url, callTool('look', args), asked),
    ].map(({ message }) => JSON.stringify(message));
    const caution = 'It may have happened; check before you repeat a change.';
    expect(paid).toContain(`"${words}. ${caution}"`);
    expect(looked).toContain(`"${words}"`);
  },
);
