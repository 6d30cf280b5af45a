import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { callCommand, type ToolCall } from './index.ts';

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
