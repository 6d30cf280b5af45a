/** What a process has said of its tools is not the word of the one that is started in its place. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, INITIALIZE, later, open, post } from '../../test/tools.ts';

afterEach(cleanUp);

const KEY = 'dev.mayday/idempotency-key';
const KEYS = { _meta: { [KEY]: true } };
const READS = { annotations: { readOnlyHint: true } };

/** Writes down what it does. The first one ends after that, the others answer. */
const PROCESS = `
const { appendFileSync, readFileSync } = require('node:fs');
const { FILE, FIRST, SECOND } = process.env;
const isFirst = readFileSync(FILE, 'utf8') === '';
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') return say(id, opened);
  if (method === 'tools/list' && !isFirst && SECOND === 'no list')
    return console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'boom' } }));
  if (method === 'tools/list')
    return say(id, { tools: [{ name: 'pay', inputSchema: { type: 'object' }, ...JSON.parse(isFirst ? FIRST : SECOND) }] });
  if (method !== 'tools/call')
    return console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
  appendFileSync(FILE, 'paid ');
  if (isFirst) process.exit(1);
  say(id, { content: [{ type: 'text', text: 'receipt' }] });
});`;

/** A gateway that has listed the tools of the first process. */
async function house(first: object, second: object | 'no list', inSession: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'word-of-a-process-'));
  later(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'done');
  appendFileSync(file, '');
  const env = {
    FILE: file,
    FIRST: JSON.stringify(first),
    SECOND: second === 'no list' ? second : JSON.stringify(second),
  };
  const { url } = await open({
    upstreams: { p: { command: process.execPath, args: ['-e', PROCESS], env } },
  });
  const at = `${url}/p/mcp`;
  const id = inSession ? (await post(at, INITIALIZE)).headers.get('mcp-session-id') : null;
  const as: { [name: string]: string } = id === null ? {} : { 'mcp-session-id': id };
  await post(at, call('tools/list'), as);
  const pay = (_meta: object) => post(at, call('tools/call', { name: 'pay', arguments: {}, _meta }), as);
  return { pay, done: () => readFileSync(file, 'utf8').split(' ').length - 1 };
}

const counted = (attempt: number) => ({
  [KEY]: 'k',
  'dev.mayday/attempt': attempt,
  'dev.mayday/call': 'c-1',
  ...(attempt > 1 && { 'dev.mayday/executed': 'maybe' }),
});

const SECONDS: readonly (object | 'no list')[] = [{}, { _meta: { [KEY]: false } }, 'no list'];
const CASES = [KEYS, READS].flatMap((first) =>
  SECONDS.flatMap((second) => [true, false].map((inSession) => ({ first, second, inSession }))),
);

it.each(CASES)(
  '$first, then $second (in a session: $inSession): once',
  async ({ first, second, inSession }) => {
    const { pay, done } = await house(first, second, inSession);
    expect(faultIn(await pay({ [KEY]: 'k' }))).toMatchObject({ kind: 'disconnected', executed: 'maybe' });
    expect(faultIn(await pay({ [KEY]: 'k' }))).toMatchObject({ kind: 'disconnected', executed: 'maybe' });
    expect(done()).toBe(1);
  },
);

it.each(CASES)(
  '$first, then $second (in a session: $inSession): once, by whoever counts',
  async ({ first, second, inSession }) => {
    const { pay, done } = await house(first, second, inSession);
    for (let attempt = 1; attempt <= 3; attempt++)
      expect(faultIn(await pay(counted(attempt)))).toMatchObject({ executed: 'maybe' });
    expect(done()).toBe(1);
  },
);

it.each([KEYS, READS].flatMap((word) => [true, false].map((inSession) => ({ word, inSession }))))(
  '$word, and again (in a session: $inSession): repeated',
  async ({ word, inSession }) => {
    const { pay, done } = await house(word, word, inSession);
    expect((await pay({ [KEY]: 'k' })).text).toContain('receipt');
    expect(done()).toBe(2);
  },
);
