/** Log messages that name what their reader may not use reach others alone. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, INITIALIZE, open, post } from '../tools.ts';

afterEach(cleanUp);

const ANN = { authorization: 'Bearer ann-secret' };
const BOSS = { authorization: 'Bearer boss-secret' };
const KEYS = [
  { name: 'ann', key: 'ann-secret' },
  { name: 'boss', key: 'boss-secret' },
];
const ONE_DENIED = { rules: [{ deny: ['u/pay_all'], callers: ['ann'] }] };
const ONE_ALLOWED = {
  default: 'deny',
  rules: [{ allow: ['u/look'] }, { allow: ['u/*'], callers: ['boss'] }],
} as const;

const LONG = 'x '.repeat(40_000);
const LOGS = [
  'ready, 10.5 ms',
  'pay_all took 3 s',
  { step: ['calls (pay_all)'] },
  { pay_all: 3 },
  'prepay_all_later',
  LONG,
];

/** Logs all of that in a call. */
const PROCESS = {
  command: process.execPath,
  args: [
    '-e',
    `const send = (said) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...said }) + '\\n');
     require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
       const { id, method, params } = JSON.parse(line);
       const ok = (result) => send({ id, result });
       if (method === 'initialize') return ok({ protocolVersion: params.protocolVersion, serverInfo: { name: 'u', version: '1' },
         capabilities: { tools: {}, logging: {} } });
       if (method === 'tools/list') return ok({ tools: ['look', 'pay_all'].map((name) => ({ name, inputSchema: { type: 'object' } })) });
       if (method !== 'tools/call') return id !== undefined && ok({});
       for (const data of [...${JSON.stringify(LOGS.slice(0, -1))}, 'x '.repeat(40000)]) send({ method: 'notifications/message', params: { level: 'info', data } });
       send({ method: 'notifications/message', params: { level: 'info', logger: 'pay_all', data: 'by its logger' } });
       send({ method: 'notifications/message', params: { level: 'info', logger: 'look', data: 'last' } });
       ok({ content: [] });
     });`,
  ],
};

/** What is logged to this caller in the stream of a call. */
async function logged(url: string, headers: { readonly [name: string]: string }, look: string) {
  const opened = await post(url, INITIALIZE, headers);
  const own = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, own);
  await post(url, call('tools/list', {}, 'l'), own);
  const { text } = await post(url, callTool(look), own);
  return [...text.matchAll(/^data: (.*notifications\/message.*)$/gm)].map(
    ([, event = '']) => JSON.parse(event).params.data,
  );
}

it.each([
  ['/u/mcp', 'look', 'one is denied', ONE_DENIED],
  ['/u/mcp', 'look', 'one is allowed', ONE_ALLOWED],
  ['/mcp', 'u_look', 'one is denied', ONE_DENIED],
  ['/mcp', 'u_look', 'one is allowed', ONE_ALLOWED],
])('at %s, with %s, where %s', async (path, look, _how, access) => {
  const gateway = await open({ keys: KEYS, access, upstreams: { u: PROCESS } } as never);
  expect(await logged(gateway.url + path, ANN, look)).toEqual(['ready, 10.5 ms', 'prepay_all_later', 'last']);
  const all = [...LOGS.slice(0, -1), 'by its logger', 'last'];
  expect(await logged(gateway.url + path, BOSS, look)).toEqual(all);
});
