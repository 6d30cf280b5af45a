/** With `--stdio` nobody needs a token or a key, from docs/oauth.md. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { scratch } from '../support/gateway.ts';
import { call, initialize } from '../support/messages.ts';
import '../support/policy.ts';
import { stdio } from '../support/world.ts';

const BIN = fileURLToPath(new URL('../../../cli/bin/mayday.js', import.meta.url));

it('a call on standard input is answered', async () => {
  const folder = scratch();
  const file = join(folder, 'mayday.yaml');
  const issuers = [{ name: 'login', issuer: 'http://127.0.0.1:9' }];
  const oauth = { resource: 'https://mcp.example.com', scopes: ['mcp'], issuers };
  writeFileSync(file, JSON.stringify({ oauth, upstreams: { s: stdio() } }));
  const child = spawn(process.execPath, [BIN, 'gateway', '--stdio', '--config', file], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async (id: number): Promise<string> => {
    for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
      if (JSON.parse(line.value).id === id) return line.value;
    }
    return 'nothing';
  };
  child.stdin.write(`${JSON.stringify(initialize())}\n`);
  expect(await said(1)).toContain('protocolVersion');
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  child.stdin.write(`${JSON.stringify(call('s_echo', {}, 2))}\n`);
  expect(await said(2)).toContain('echo: fine');
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});
