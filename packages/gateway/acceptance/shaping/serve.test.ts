/** `--serve`, from docs/shaping.md: one upstream or virtual server at `/mcp`, or as a plain command. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../../scripts/free-port.ts';
import { scratch } from '../support/gateway.ts';
import { post } from '../support/http.ts';
import { ask, call, initialize } from '../support/messages.ts';
import { fate, listed, mayday, pause } from '../support/policy.ts';
import { PATIENT, tool } from '../support/shaping.ts';
import { stdio } from '../support/world.ts';

const BIN = fileURLToPath(new URL('../../../cli/bin/mayday.js', import.meta.url));
const folder = scratch();
const file = join(folder, 'mayday.yaml');
let port = 0;
beforeAll(async () => {
  port = await freePort();
  const tools = ['echo', 'pay', 'lookup'].map((name) => tool(name));
  const settings = {
    listen: { port },
    joined: PATIENT,
    upstreams: { s: stdio({ tools }, { tools: { deny: ['pay'] } }), t: stdio({ tools }) },
    virtual: {
      desk: { tools: ['*/echo', 's/pay'], rename: { 't/echo': 'say' }, instructions: 'Only here.' },
    },
  };
  writeFileSync(file, JSON.stringify(settings));
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]): ChildProcess {
  return spawn(process.execPath, [BIN, 'gateway', '--config', file, ...args], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** The first answer that comes to a message on standard input. */
async function asked(child: ChildProcess, ...messages: object[]): Promise<Record<string, unknown>[]> {
  const answers: Record<string, unknown>[] = [];
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for (const message of messages) {
    child.stdin?.write(`${JSON.stringify(message)}\n`);
    const [line] = (await new Promise<string[]>((resolve) =>
      lines.once('line', (text) => resolve([text])),
    )) as [string];
    answers.push(JSON.parse(line));
  }
  child.kill('SIGKILL');
  return answers;
}

describe('as a plain command', () => {
  it.each([
    ['desk', ['s_echo', 'say'], 'say', 's_pay'],
    ['s', ['echo', 'lookup'], 'echo', 'pay'],
  ])('--stdio --serve %s', async (name, tools, shown, hidden) => {
    const child = run('--stdio', '--serve', name);
    const [opened, list, fine, refused] = await asked(
      child,
      initialize(),
      ask('tools/list', {}, 2),
      call(shown, { text: 'hi' }, 3),
      call(hidden, {}, 4),
    );
    expect(opened).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
    expect(listed(list ?? {}, 'tools')).toEqual([...tools].sort());
    expect(fine).toMatchObject({ id: 3, result: { content: [{ type: 'text', text: 'echo: hi' }] } });
    expect(fate(refused ?? {})).toBe('not_found/no');
  });

  it('is a server to the official client', async () => {
    const client = new Client({ name: 'acceptance', version: '1' });
    const args = [BIN, 'gateway', '--stdio', '--config', file, '--serve', 'desk'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: 'say', arguments: { text: 'hi' } });
    const instructions = client.getInstructions();
    await client.close();
    expect(tools.map(({ name }) => name)).toEqual(['s_echo', 'say']);
    expect(answer.content).toEqual([{ type: 'text', text: 'echo: hi' }]);
    expect(instructions).toBe('Only here.');
  });
});

it('over HTTP it is at /mcp too', async () => {
  const child = run('--serve', 'desk');
  const url = `http://127.0.0.1:${port}`;
  const up = (): Promise<number> =>
    fetch(`${url}/-/health`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(up, { timeout: 15_000 }).toBe(200);
  const [joined, own, upstream] = await Promise.all(
    ['/mcp', '/desk/mcp', '/s/mcp'].map((path) =>
      post(`${url}${path}`, ask('tools/list'), { within: 15_000 }),
    ),
  );
  child.kill('SIGKILL');
  expect(listed(joined?.message ?? {}, 'tools')).toEqual(['s_echo', 'say']);
  expect(listed(own?.message ?? {}, 'tools')).toEqual(['s_echo', 'say']);
  expect(listed(upstream?.message ?? {}, 'tools')).toEqual(['echo', 'lookup']);
});

it('a name that there is none of is told, with what was meant', async () => {
  const late = pause(30_000).then(() => ({ code: 'it serves', all: '' }));
  const { code, all } = await Promise.race([mayday(folder, 'gateway', '--stdio', '--serve', 'dsek'), late]);
  expect(code).not.toBe(0);
  expect(all).toMatch(/did you mean desk\?/i);
});
