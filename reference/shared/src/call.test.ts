import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { callCommand, type ToolCall } from './call.ts';

it.each([
  ['stdout', async ({ send }: ToolCall) => (await send()).result?.['text']],
  [
    'stderr',
    async ({ send }: ToolCall) => {
      throw new Error(String((await send()).result?.['text']));
    },
  ],
] as const)('what a server says moves no terminal (%s)', async (stream, sample) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      // Every id that is asked for, one after the other: initialize, tools/list, tools/call.
      response.end(JSON.stringify({ id: null, result: { text: 'a\u001b]0;title\u0007b\u009bc\nd' } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const written: string[] = [];
  const spy = vi.spyOn(process[stream], 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const before = process.exitCode;
  try {
    await callCommand(sample, undefined, [
      'call',
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      'x',
    ]);
  } finally {
    spy.mockRestore();
    process.exitCode = before;
    server.close();
  }
  expect(written).toEqual(['a ]0;title b c\nd\n']);
});

const AGAIN = 'It may have happened: check before you call pay again.\n';
const DOWN = {
  code: -32300,
  message: 'Internal Error',
  data: { status: 500, error_code: 'internal_error', retryable: true, detail: 'The desk is closed' },
};
const LISTED = { result: { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] } };
const READS = {
  result: { tools: [{ name: 'pay', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] },
};

it.each([
  ['there is no list', { error: { code: -32603, message: 'no list' } }, 200, 1, /may have happened/],
  ['it is not on the list', { result: { tools: [] } }, 200, 1, /may have happened/],
  ['it only reads', READS, 200, 2, /^Internal Error\n$/],
  ['the connection breaks', LISTED, 0, 1, new RegExp(`^The connection to http\\S+ broke: \\w+\n${AGAIN}$`)],
  ['the answer is empty', LISTED, 503, 1, new RegExp(`^The server did not answer: HTTP 503\n${AGAIN}$`)],
])('nobody is told that a change was not made: %s', async (_, list, status, times, told) => {
  let calls = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { id = null, method } = JSON.parse(body);
    if (method === 'tools/call') calls++;
    if (method === 'tools/call' && status === 0) return void request.socket.destroy();
    if (method === 'tools/call' && status === 503) return void response.writeHead(503).end();
    const said = method === 'tools/list' ? list : method === 'tools/call' ? { error: DOWN } : { result: {} };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const written: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const before = process.exitCode;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const twice = async ({ send }: ToolCall): Promise<never> => {
    await send();
    throw new Error((await send()).error?.message);
  };
  try {
    await callCommand(twice, 'closient', ['call', url, 'pay']);
  } finally {
    spy.mockRestore();
    process.exitCode = before;
    server.close();
  }
  expect(calls).toBe(times);
  expect(written.join('')).toMatch(told);
});

it('wrong usage is one line and 2, before anybody is asked', async () => {
  const written: string[] = [];
  const spies = [
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0),
    vi.spyOn(process, 'exit').mockImplementation((status) => {
      throw new Error(`exit ${status}`);
    }),
  ];
  const said = async (...words: string[]) => {
    const sample = (): never => expect.unreachable('Nobody is asked');
    const how = await callCommand(sample, undefined, ['call', ...words]).catch((error) => error.message);
    return [how, written.splice(0).join('')];
  };
  try {
    const url = 'http://127.0.0.1:9/mcp';
    for (const json of ['{bad', '7', '[]', 'null'])
      expect(await said(url, 'x', json)).toEqual([
        'exit 2',
        `Expected the arguments of x as a JSON object, got ${json}\n`,
      ]);
    expect(await said('nowhere', 'x')).toEqual(['exit 2', 'Expected: call URL TOOL [ARGUMENTS AS JSON]\n']);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
});
