/** What a server's process said, how it is started and how it ended: for operators, and for no caller of a document. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, open, post } from '../test/tools.ts';

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
  const hangs = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], timeout_ms: 400 };
  const gateway = await open({ upstreams: { 'billing-db': hangs } });
  const asked = { 'mayday-dialect': dialect };
  const { message } = await post(`${gateway.url}/billing-db/mcp`, callTool('x'), asked);
  expect(message).toMatchObject(answer);
});
