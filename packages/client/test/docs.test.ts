/** What docs/client.md prints is what comes out. */
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { httpTransport, resilient } from '../src/index.ts';
import { answer, type Script, scriptedHttp, succeed } from './scripted-http.ts';

const page = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8');

const TOOLS = [
  { name: 'search', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'pay', inputSchema: { type: 'object' } },
];

/** Calls one tool of a scripted server as the page does, and notes what the page prints. */
async function played(name: string, script: Script) {
  await using server = await scriptedHttp(script, undefined, TOOLS);
  const said: string[] = [];
  const client = resilient(new Client({ name: 'agent', version: '1.0.0' }), {
    transport: () => httpTransport(server.url),
    onFault: ({ call, attempt, plan }) => void said.push(`${call.target} #${attempt}: ${plan.reason}`),
  });
  await client.connect();
  await client.listTools();
  const outcome = await client.call({ name });
  await client.close();
  return { said, outcome };
}

/** Times differ from day to day. */
const timeless = (text: string): string => text.replace(/\d+ ms/g, '# ms');
const shown = page
  .split('\n')
  .filter((line) => /^\/\/ \w+ #\d: /.test(line))
  .map((line) => timeless(line.slice(3)));

it('shows what a read goes through', async () => {
  const { said, outcome } = await played('search', (heard, response, count) => {
    if (count === 1) answer(response, 'busy', 503);
    else if (count === 2) answer(response, 'later', 429, { 'retry-after': '1' });
    else succeed(heard, response);
  });
  expect(outcome).toMatchObject({ ok: true, attempts: 3 });
  expect(said.map(timeless)).toEqual(shown.slice(0, 2));
});

it('shows what becomes of a write whose answer is lost', async () => {
  const { said, outcome } = await played('pay', (_, response) => void response.destroy());
  expect(said.map(timeless)).toEqual(shown.slice(2));
  const [, json = ''] = /```json\n(\{\n {2}"ok": false[\s\S]*?)```/.exec(page) ?? [];
  const { elapsedMs, ...printed } = JSON.parse(json) as { elapsedMs: number };
  expect(elapsedMs).toBeGreaterThan(0);
  expect({ ...outcome, elapsedMs: undefined }).toEqual({ ...printed, elapsedMs: undefined });
});
