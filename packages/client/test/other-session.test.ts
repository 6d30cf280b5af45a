/** What a tool has said in a session that is gone is not the word of the server behind the next one. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { FLAVOURS } from './flavours.ts';
import { answer, type Heard, scriptedHttp, succeed } from './scripted-http.ts';

const KEY = 'dev.mayday/idempotency-key';
const KEYS = { _meta: { [KEY]: true } };
const READS = { annotations: { readOnlyHint: true } };
const REPEATS = { annotations: { idempotentHint: true } };

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Writes down what it is asked. The first one ends in the call, the others answer. */
const PROCESS = `
const { appendFileSync, readFileSync } = require('node:fs');
const [file, first, second] = process.argv.slice(1);
const isFirst = !readFileSync(file, 'utf8').includes('tools/call');
const said = isFirst ? first : second;
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize')
    return say(id, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  if (method !== 'tools/list' && method !== 'tools/call')
    return console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
  appendFileSync(file, method + ' ');
  if (method === 'tools/list' && said === 'silent') return;
  if (method === 'tools/list' && said === 'fails')
    return console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'boom' } }));
  if (method === 'tools/list' && params?.cursor === undefined && !isFirst)
    return say(id, { tools: [{ name: 'other', inputSchema: { type: 'object' } }], nextCursor: '2' });
  if (method === 'tools/list')
    return say(id, { tools: [{ name: 'pay', inputSchema: { type: 'object' }, ...JSON.parse(said) }] });
  if (isFirst) process.exit(1);
  say(id, { content: [{ type: 'text', text: 'receipt' }] });
});`;

type Word = object | 'fails' | 'silent';
const words = (word: Word): string => (typeof word === 'string' ? word : JSON.stringify(word));

const WORDS: readonly (readonly [object, Word, object])[] = [
  [KEYS, {}, {}],
  [KEYS, { _meta: { [KEY]: false } }, {}],
  [KEYS, 'fails', {}],
  [KEYS, 'silent', {}],
  [KEYS, {}, { idempotencyKey: 'order-7' }],
  [KEYS, { _meta: { [KEY]: false } }, { idempotencyKey: 'order-7' }],
  [KEYS, 'fails', { idempotencyKey: 'order-7' }],
  [READS, {}, {}],
  [READS, 'fails', {}],
  [REPEATS, { annotations: { idempotentHint: true, destructiveHint: true } }, {}],
];

describe.each(FLAVOURS)('$name', ({ http, stdio }) => {
  /** A call whose answer is lost with the process, and what is asked from then on. */
  async function overStdio(first: Word, second: Word, options: object) {
    const folder = mkdtempSync(join(tmpdir(), 'other-session-'));
    folders.push(folder);
    const file = join(folder, 'asked');
    appendFileSync(file, '');
    const client = stdio(['-e', PROCESS, file, words(first), words(second)], {
      upstream: { random: () => 0, patienceMs: 300 },
    });
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name: 'pay', arguments: {} }, options);
    await client.close();
    const asked = readFileSync(file, 'utf8').trim().split(' ');
    return { outcome, asked: asked.slice(asked.indexOf('tools/call') + 1) };
  }

  it.each(WORDS)('over stdio, %o and then %o: once (%o)', async (first, second, options) => {
    const { outcome, asked } = await overStdio(first, second, options);
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'disconnected', executed: 'maybe' } });
    expect(asked).not.toContain('tools/call');
    expect(asked).toContain('tools/list');
  });

  it.each([
    [KEYS, {}],
    [KEYS, { idempotencyKey: 'order-7' }],
    [READS, {}],
    [REPEATS, {}],
  ])('over stdio, %o and then the same: repeated (%o)', async (word, options) => {
    const { outcome, asked } = await overStdio(word, word, options);
    expect(outcome).toMatchObject({ ok: true, attempts: 2 });
    expect(asked).toEqual(['tools/list', 'tools/list', 'tools/call']);
  });

  it.each([
    ['by the word of the caller', {}, { idempotencyKey: 'order-7' }],
    ['by the word of the operator', {}, { repeatable: true }],
  ])('asks for no list where it may be repeated %s', async (_whose, word, options) => {
    const { outcome, asked } = await overStdio(word, 'fails', options);
    expect(outcome).toMatchObject({ ok: true, attempts: 2 });
    expect(asked).toEqual(['tools/call']);
  });

  /** A server whose second session has other tools; it loses the first answer, and the session as often as it is told to. */
  async function overHttp(first: object, second: object, isGone: boolean) {
    let sessions = 0;
    const tool = () => ({ name: 'pay', inputSchema: { type: 'object' }, ...(sessions > 1 ? second : first) });
    await using server = await scriptedHttp(
      (heard, response, count) => {
        if (count === 1) response.destroy();
        else if (isGone && heard.session === 's1') answer(response, 'Session not found', 404);
        else succeed(heard, response);
      },
      () => `s${++sessions}`,
      () => ({ tools: [tool()] }),
    );
    const client = http(server.url, { attempts: 4 });
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name: 'pay', arguments: {} });
    await client.close();
    const asked = (one: Heard) => `${one.method} ${one.session}`;
    return { outcome, asked: server.heard.map(asked).filter((one) => one.startsWith('tools/')) };
  }

  it.each([
    [KEYS, {}],
    [KEYS, { _meta: { [KEY]: false } }],
    [READS, {}],
  ])('over HTTP, %o and then %o: once', async (first, second) => {
    const { outcome, asked } = await overHttp(first, second, true);
    expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(asked).toEqual(['tools/list s1', 'tools/call s1', 'tools/call s1', 'tools/list s2']);
  });

  it.each([KEYS, READS])('over HTTP, %o and then the same: repeated', async (word) => {
    const { outcome, asked } = await overHttp(word, word, true);
    expect(outcome).toMatchObject({ ok: true, attempts: 3 });
    expect(asked).toEqual([
      'tools/list s1',
      'tools/call s1',
      'tools/call s1',
      'tools/list s2',
      'tools/call s2',
    ]);
  });

  it.each([KEYS, READS])('asks nothing in a session that goes on: %o', async (word) => {
    const { outcome, asked } = await overHttp(word, {}, false);
    expect(outcome).toMatchObject({ ok: true, attempts: 2 });
    expect(asked).toEqual(['tools/list s1', 'tools/call s1', 'tools/call s1']);
  });
});
