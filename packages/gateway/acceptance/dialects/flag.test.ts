/** `mayday gateway --dialect D -- command`: callers who ask for nothing get each document's own form. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Message, post } from '../support/http.ts';
import { call, initialize } from '../support/messages.ts';

const BIN = fileURLToPath(new URL('../../../cli/bin/mayday.js', import.meta.url));
const PUPPET = fileURLToPath(new URL('../support/stdio-puppet.ts', import.meta.url));
const DIALECTS = ['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'] as const;
const running = new Map<string, { readonly child: ChildProcess; readonly url: string }>();

beforeAll(async () => {
  await Promise.all(
    DIALECTS.map(async (dialect) => {
      const args = [BIN, 'gateway', '--port', '0', '--dialect', dialect, '--', process.execPath, PUPPET];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      running.set(dialect, { child, url: await address(child) });
    }),
  );
});

afterAll(() => {
  for (const { child } of running.values()) child.kill('SIGTERM');
});

/** Where it says that it listens, on either stream. */
function address(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const take = (piece: unknown): void => {
      said += String(piece);
      const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said);
      if (found !== null) resolve(found[0]);
    };
    (child.stdout as Readable).on('data', take);
    (child.stderr as Readable).on('data', take);
    child.once('exit', () => reject(new Error(`The gateway did not start: ${said}`)));
  });
}

async function unknownTool(dialect: string): Promise<Message> {
  const url = running.get(dialect)?.url ?? '';
  const { headers } = await post(url, initialize(), { within: 15_000 });
  const session = String(headers['mcp-session-id']);
  return (await post(url, call('nope'), { within: 15_000, session })).message;
}

it('CL-23 closient', async () => {
  const { result, error } = await unknownTool('closient');
  expect(result?.error ?? error).toMatchObject({
    code: -32200,
    message: 'Not Found',
    data: { error_code: 'not_found', status: 404, retryable: false },
  });
});

it('EM-2 onx', async () => {
  expect(await unknownTool('onx')).toMatchObject({
    error: { code: -32602, message: 'Invalid params', data: { field: 'name' } },
  });
});

it('ER-25 erlmcp', async () => {
  expect(await unknownTool('erlmcp')).toMatchObject({
    error: { code: -32002, message: 'Tool not found', data: { tool: 'nope' } },
  });
});

it('ER-28 erlmcp before the handshake', async () => {
  const { message } = await post(running.get('erlmcp')?.url ?? '', call('nope'), { within: 15_000 });
  expect(message['error']).toMatchObject({ code: -32005, message: 'Server not initialized' });
});

it('QA-4 QA-15 qaqnuz', async () => {
  const message = await unknownTool('qaqnuz');
  expect(message).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: expect.not.stringContaining('nope') }], isError: true },
  });
});

it('PL-15 platica', async () => {
  expect(await unknownTool('platica')).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32602, message: expect.any(String) },
  });
});

it.each(['qaqnuz', 'platica'])('QA-3 no header opens %s, which the operator has chosen', async (dialect) => {
  const headers = { 'mayday-dialect': 'mayday' };
  const asked = await post(running.get(dialect)?.url ?? '', call('nope'), { within: 15_000, headers });
  expect(asked.message).toEqual(await unknownTool(dialect));
});

it('a header still chooses where the operator has chosen an open one', async () => {
  const headers = { 'mayday-dialect': 'onx' };
  const url = running.get('closient')?.url ?? '';
  const { message } = await post(url, call('nope'), { within: 15_000, headers });
  expect(message).toMatchObject({ error: { code: -32602, message: 'Invalid params' } });
});
