/** `mayday gateway --stdio` and `mayday wrap`, where something is wrong before the first call: the client hears it. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of clients
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { mayday, start } from './mayday.ts';
import { plainServer } from './plain-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-'));
const file = join(folder, 'mcp.json');
const server = plainServer(folder, ['a']);

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

function message(id: number, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

const INITIALIZE = message(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 't', version: '1' },
});

interface Answer {
  readonly id: number;
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string; readonly data: object };
}

function answers(out: string): Map<number, Answer> {
  const lines = out.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [(JSON.parse(line) as Answer).id, JSON.parse(line) as Answer]));
}

const good = { command: process.execPath, args: [server] };

test('a variable that one server needs and that is not set costs the others nothing', async () => {
  const needs = { ...good, env: { K: '${env:NOPE_X}' } };
  writeFileSync(file, JSON.stringify({ mcpServers: { good, needs } }, undefined, 1));
  const input = [
    INITIALIZE,
    message(2, 'tools/list', {}),
    message(3, 'tools/call', { name: 'good_a', arguments: {} }),
    message(4, 'tools/call', { name: 'needs_a', arguments: {} }),
  ].join('');
  const { code, out, err } = await mayday(['gateway', '--stdio', '--config', file], input);
  const said = answers(out);
  expect(code).toBe(0);
  expect(said.get(2)?.result).toMatchObject({
    tools: [{ name: 'good_a' }],
    _meta: { 'dev.mayday/unavailable': ['needs'] },
  });
  expect(said.get(3)?.result).toEqual({ content: [{ type: 'text', text: 'a' }] });
  expect(said.get(4)?.result).toMatchObject({
    isError: true,
    content: [
      {
        text: 'The server cannot be started: the variable NOPE_X is not set. Set NOPE_X where the gateway is started, then start it again.',
      },
    ],
  });
  expect(err).toContain(`warning: ${file}:`);
  expect(err).toContain(
    'upstreams.needs.env.K: The environment variable NOPE_X is not set; needs cannot be used',
  );
});

test.each([
  ['url', { url: '${env:NOPE_X}/mcp' }, 'reached'],
  ['command', { command: '${env:NOPE_X}' }, 'started'],
])('the one server that is served says which variable it needs, as a %s', async (_form, needs, verb) => {
  writeFileSync(file, JSON.stringify({ mcpServers: { needs } }));
  const { code, out } = await mayday(
    ['gateway', '--stdio', '--config', file, '--serve', 'needs'],
    INITIALIZE,
  );
  expect([code, answers(out).get(1)?.error]).toMatchObject([
    0,
    {
      code: -32603,
      message: expect.stringContaining(`The server cannot be ${verb}: the variable NOPE_X is not set`),
      data: {
        kind: 'misconfigured',
        executed: 'no',
        advice: 'Set NOPE_X where the gateway is started, then start it again.',
      },
    },
  ]);
});

test.each([
  ['{\n "mcpServers": {\n "a": { "command" "x" }\n}}', ':3: Colon expected'],
  [
    'upstreams:\n  a: { command: x, tmeout_ms: 5 }',
    ':2: upstreams.a.tmeout_ms: Unknown setting; did you mean timeout_ms?',
  ],
])('a mistake in the file is the answer to initialize: %j', async (text, problem) => {
  writeFileSync(file, text);
  const { code, out, err } = await mayday(['gateway', '--stdio', '--config', file], INITIALIZE);
  const advice =
    'Correct it in the settings of this client, or in the file that they name, then start it again.';
  const told = `The gateway cannot start: ${file}${problem}`;
  expect(code).toBe(2);
  expect(err).toBe(`mayday: the configuration cannot be used\n${file}${problem}\n`);
  expect(answers(out).get(1)).toMatchObject({
    jsonrpc: '2.0',
    error: {
      code: -32603,
      message: `${told}${told.endsWith('?') ? '' : '.'} ${advice}`,
      data: { kind: 'misconfigured', message: told, advice, executed: 'no' },
    },
  });
});

test.each([
  [['gateway', '--stdio', '--cofnig', 'x']],
  [['gateway', '--stdio', '--config', '/no/such/file']],
  [['wrap', '--dialect', 'onxx', '--', 'x']],
  [['wrap', '--port', '1', '--', 'x']],
])('wrong usage is, too: %j', async (args) => {
  const { code, out } = await mayday(args, INITIALIZE);
  expect([code, answers(out).get(1)?.error?.message]).toEqual([
    2,
    expect.stringMatching(/^The gateway cannot start: .* Correct it in /),
  ]);
});

test('whoever tries something else before initialize hears it twice', async () => {
  const args = ['gateway', '--stdio', '--config', '/no/such/file'];
  const notification = '{"jsonrpc":"2.0","method":"notifications/cancelled"}\nno message\n';
  const { out } = await mayday(args, `${message(7, 'server/discover', {})}${notification}${INITIALIZE}`);
  expect([...answers(out).keys()]).toEqual([7, 1]);
});

test('a client that stays is told and left', async () => {
  const child = start(['gateway', '--stdio', '--config', '/no/such/file']);
  running.push(child);
  child.stdin.write(INITIALIZE);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, lines.length]).toEqual([2, 1]);
});

test.each([
  ['wrap', ['wrap', '--quiet', '--', 'no-such-program', 'x']],
  ['gateway', ['gateway', '--stdio', '--quiet', '--', 'no-such-program', 'x']],
])('%s --quiet says nothing beside what the client is answered', async (_, args) => {
  const { code, out, err } = await mayday(args, INITIALIZE);
  expect([code, err]).toEqual([0, '']);
  expect(answers(out).get(1)?.error?.message).toContain('no-such-program');
});

test('with --quiet, what is wrong with a file is said all the same', async () => {
  writeFileSync(file, JSON.stringify({ mcpServers: { gone: { command: 'no-such-program' } } }));
  const { err } = await mayday(['gateway', '--stdio', '--quiet', '--config', file], INITIALIZE);
  expect(err).toMatch(/^[^\n]*warning: [^\n]*command not found: no-such-program\n$/);
});
