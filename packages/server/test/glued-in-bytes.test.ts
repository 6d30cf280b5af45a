/** Databases and codecs put nothing between their values: what stands before a secret is a length, or another value. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import { connectRaw } from './wire.ts';

const TOKENS = [
  `ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA2bC4'}`,
  `xoxb-${'217654321098-2187654321098-AbCdEfGhIjKlMnOpQrStUvWx'}`,
  `sk_live_${'51HqLyjWDarjtT1zdp7dcXyzW'}`,
  `sk-ant-api03-${'Zq8vT2mNp4Rw6Ys1Kd3Fg5Hj7Lb9Xc0QaWeRtYuIoP'}`,
  `AKIA${'Q3EGRTLN7W2XZ5KJ'}`,
];

/** What a failing tool's resource has in its bytes when it leaves. */
async function left(held: Buffer): Promise<Buffer> {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  const resource = { uri: 'file:///x', mimeType: 'application/octet-stream', blob: held.toString('base64') };
  const content = [{ type: 'resource', resource }];
  server.registerTool('t', {}, async () => ({ isError: true, content }) as never);
  const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: {} });
  const blocks = answer.result?.['content'] as { readonly resource?: { readonly blob: string } }[];
  return Buffer.from(blocks[0]?.resource?.blob ?? '', 'base64');
}

function database(columns: string, ...values: readonly (string | number)[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-'));
  const file = join(folder, 'a.db');
  const open = new DatabaseSync(file);
  open.exec(`create table t(${columns})`);
  open.prepare(`insert into t values (${values.map(() => '?').join(', ')})`).run(...values);
  open.close();
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

const framed = (token: string): Buffer =>
  Buffer.concat([
    Buffer.from([0x0a, 3]),
    Buffer.from('ann'),
    Buffer.from([0x12, token.length]),
    Buffer.from(token),
    Buffer.from([0, 1]),
  ]);

it.each(
  TOKENS.flatMap((token) => [
    [token, 'a row of one column', database('token', token)] as const,
    [token, 'a row behind a name', database('name, token', 'ann', token)] as const,
    [token, 'a row behind a number', database('id integer primary key, n, token', 1, 42, token)] as const,
    [token, 'a row before a name', database('token, name', token, 'ann')] as const,
    [token, 'a message with lengths', framed(token)] as const,
    [
      token,
      'texts that follow each other',
      Buffer.from(`\0\x01unknown optionbad name${token}\0\x02`),
    ] as const,
  ]),
)('%s leaves %s', async (token, _where, held) => {
  expect(held.includes(token)).toBe(true);
  const safe = await left(held);
  expect(safe).toHaveLength(held.length);
  expect(safe.includes(token.slice(-12))).toBe(false);
});
