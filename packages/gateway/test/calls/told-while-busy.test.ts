/** What a server says behind a refusal counts where the gateway is too busy to read it before the wait is over. */
import { afterEach, expect, it } from 'vitest';
import { beBusy } from '../../../../test/busy.ts';
import { call, cleanUp, open, post } from '../tools.ts';
import { executedIn, LOG, NOTHING, PAID, payIn, telling, tellingOld } from './refusing-servers.ts';

afterEach(cleanUp);

const RESULT_OF_IT = (id: number): object => ({ jsonrpc: '2.0', id, result: PAID });
const retry = { attempts: 2 };

const ROWS = [
  ['its result', RESULT_OF_IT, 'paid', 1],
  ['a log', LOG, 'maybe', 1],
  ['nothing about work', NOTHING, 'no', 2],
] as const;

it.each([
  ['a limit, over HTTP', telling, 'http', false],
  ['a declaration, over HTTP', telling, 'http', true],
  ['a limit, over HTTP+SSE', tellingOld, 'sse', false],
] as const)('behind %s', async (_, start, transport, isDeclared) => {
  for (const [name, said, became, times] of ROWS) {
    const server = await start(said, { behindMs: 300, busy: true, isDeclared });
    const gateway = await open({ upstreams: { u: { url: server.url, transport, retry } } });
    const message = await payIn(`${gateway.url}/u/mcp`, 'pay');
    const told = executedIn(message) ?? (JSON.stringify(message).includes('"paid"') ? 'paid' : 'else');
    expect([name, told, server.paid()]).toEqual([name, became, times]);
  }
});

it.each([
  ['over HTTP', telling, 'http'],
  ['over HTTP+SSE', tellingOld, 'sse'],
] as const)('behind a 404 that loses the session, %s', async (_, start, transport) => {
  for (const said of [RESULT_OF_IT, LOG]) {
    const server = await start(said, { status: 404, behindMs: 5, busy: true });
    const gateway = await open({ upstreams: { u: { url: server.url, transport, retry } } });
    const message = await payIn(`${gateway.url}/u/mcp`, 'pay');
    const told = executedIn(message) ?? (JSON.stringify(message).includes('"paid"') ? 'paid' : 'else');
    expect(['paid', 'maybe']).toContain(told);
    expect(server.paid()).toBe(1);
  }
});

const BUSY = {
  ...{ kind: 'overloaded', message: 'busy', executed: 'no', retryable: true, reaction: 'retryable' },
  retry: { when: 'after_wait', after_ms: 1000 },
};

/** Declares that nothing was done, and says something while nobody listens. */
function process(behind: string): { readonly command: string; readonly args: readonly string[] } {
  const script = `
  const { writeSync } = require('node:fs');
  let calls = 0;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (id === undefined) return;
    const say = (said) => writeSync(1, JSON.stringify({ jsonrpc: '2.0', ...said }) + '\\n');
    const text = (text) => ({ content: [{ type: 'text', text }] });
    if (method !== 'tools/call') return say({ id, result: { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] } });
    calls += 1;
    if (calls > 1) return say({ id, result: text('again') });
    say({ id, result: { ...text('busy'), isError: true, _meta: { 'dev.mayday/fault': ${JSON.stringify(BUSY)} } } });
    setTimeout(() => { ${behind} }, 700);
  });`;
  return { command: globalThis.process.execPath, args: ['-e', script] };
}

it.each([
  ['its result', "say({ id, result: text('paid') });", '"busy', 'maybe'],
  ['a log', `say(${JSON.stringify(LOG)});`, '"busy', 'maybe'],
  ['nothing about work', `say(${JSON.stringify(NOTHING)});`, '"again"', undefined],
])('over stdio: %s', async (_, behind, text, executed) => {
  const gateway = await open({ upstreams: { u: { ...process(behind), retry } } });
  await post(`${gateway.url}/u/mcp`, call('tools/list'));
  const posted = post(`${gateway.url}/u/mcp`, call('tools/call', { name: 'pay', arguments: {} }));
  setTimeout(beBusy, 500, 1000);
  const { message } = await posted;
  expect(JSON.stringify(message)).toContain(text);
  expect(executedIn(message)).toBe(executed);
});
