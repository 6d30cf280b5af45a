/** What the operator hears of requests that are none, and of listeners that fail. */
import { PassThrough } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { type FaultEvent, guard } from '../index.ts';
import { guardStdio } from '../stdio.ts';

const warned: Error[] = [];
const listen = (warning: Error): void => void warned.push(warning);

beforeEach(() => {
  warned.length = 0;
  process.on('warning', listen);
});
afterEach(() => void process.off('warning', listen));

/** A guarded server on streams; gives the answer to a line. */
async function openServer(onFault?: (event: FaultEvent) => void) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const server = guard(new McpServer({ name: 's', version: '1' }), { onFault });
  server.registerTool('fails', {}, () => {
    throw new Error('odd');
  });
  await server.connect(guardStdio({ stdin, stdout }) as never);
  onTestFinished(() => server.close());
  const say = (line: string): Promise<{ [member: string]: unknown }> => {
    const answer = new Promise<string>((resolve) => stdout.once('data', (bytes) => resolve(String(bytes))));
    stdin.write(`${line}\n`);
    return answer.then((text) => JSON.parse(text));
  };
  return { server, say };
}

it('a line that is no request has no method, and its id where it has one', async () => {
  const events: FaultEvent[] = [];
  const { say } = await openServer((event) => void events.push(event));
  expect(await say('{"jsonrpc":')).toMatchObject({ error: { code: -32700 } });
  expect(await say('{"jsonrpc":"2.0","id":5,"method":7}')).toMatchObject({ id: 5, error: { code: -32600 } });
  expect(events.map(({ call }) => [call?.method, call?.id])).toEqual([
    ['', undefined],
    ['', 5],
  ]);
  expect(events.map(({ fault, placement }) => [fault.kind, fault.executed, placement])).toEqual([
    ['parse_error', 'no', 'protocol'],
    ['invalid_request', 'no', 'protocol'],
  ]);
});

it('a listener that fails is named in a warning, and costs nobody the answer', async () => {
  const { server, say } = await openServer();
  server.server.onerror = () => {
    throw new Error('the listener broke');
  };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'fails', arguments: {} } };
  expect(await say(JSON.stringify(call))).toMatchObject({ id: 1, result: { isError: true } });
  await new Promise((resolve) => setImmediate(resolve));
  expect(warned.map(({ name, message }) => `${name}: ${message.split('\n')[0]}`)).toEqual([
    'MaydayWarning: `onerror` failed: Error: the listener broke',
  ]);
});
