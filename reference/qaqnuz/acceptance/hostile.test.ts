import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assaultEndpoint, assaultPipe, foreignMembers, HOSTILE, REFUSED } from '../../acceptance/hostile.ts';
import { exchange } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import { serveStdio } from '../../acceptance/reference.ts';
import type { Pipe } from '../../acceptance/stdio.ts';
import type { Message } from '../../acceptance/wire.ts';
import { ALL_SCOPES, failure, openPlatform, type Platform } from './platform.ts';

let platform: Platform;
let pipe: Pipe;
let headers: Record<string, string>;
beforeAll(async () => {
  platform = await openPlatform();
  const { key } = await platform.issue('acme', ALL_SCOPES);
  headers = { authorization: `Bearer ${key}` };
  pipe = serveStdio('qaqnuz', platform.folder, [], { env: { QAQNUZ_KEY: key } });
  await pipe.initialize();
}, SLOW);
afterAll(async () => {
  await pipe.close();
  await platform.close();
});

/** JSON-RPC's own codes where no tool was called. */
const CODES: Record<string, number[]> = {
  parse: [-32700],
  request: [-32600],
  too_large: [-32600, -32602, -32603],
  refused: [-32600, -32601, -32602],
};

/** One of JSON-RPC's own errors, and nothing that tells more. */
function expectBare(message: Message | undefined, kind: string): void {
  expect(message?.jsonrpc).toBe('2.0');
  expect(CODES[kind]).toContain(message?.error?.code);
  expect(message?.error?.message).toMatch(/\w+ \w+/);
  expect(message?.error).not.toHaveProperty('data');
  expect(foreignMembers(message)).toEqual([]);
}

const unheard = HOSTILE.filter(({ kind }) => ['parse', 'request', 'too_large'].includes(kind));
const calls = HOSTILE.filter(({ kind }) => ['params', 'fails'].includes(kind));
const silent = HOSTILE.filter(({ kind }) => kind === 'silent');

describe('what is no call', () => {
  it.each(unheard)('QA-2 QA-3: $name on stdio is JSON-RPC’s own error, without data', async (hostile) => {
    const [answer, ...more] = await assaultPipe(pipe, hostile);
    expectBare(answer, hostile.kind);
    expect([hostile.id, null]).toContain(answer?.id);
    expect(more).toEqual([]);
  });

  it.each(unheard)('QA-2 QA-3: $name over HTTP is JSON-RPC’s own error, without data', async (hostile) => {
    const answer = await assaultEndpoint(platform.server.mcp, hostile, headers);
    expectBare(answer.messages[0], hostile.kind);
    expect([hostile.id, null]).toContain(answer.messages[0]?.id);
  });

  it.each(REFUSED)('QA-3: $name is refused with $status and tells nothing', async (question) => {
    const answer = await exchange(platform.server.mcp, question);
    expect(answer.status).toBe(question.status);
    expectBare(answer.messages[0], 'refused');
    expect(answer.text).not.toContain('evil.example');
    expect(answer.messages[0]?.id).toBeNull();
  });

  it.each(silent)('QA-2: $name is let pass', async (hostile) => {
    expect(await assaultPipe(pipe, hostile)).toEqual([]);
  });
});

describe('what is a call', () => {
  it.each(calls)(
    'QA-2 QA-4 QA-15: $name fails as every call fails, or as no call at all',
    async (hostile) => {
      const [answer] = await assaultPipe(pipe, hostile);
      const own = answer?.error === undefined ? answer?.result : failure('an error of JSON-RPC');
      expect(own).toEqual(failure(expect.any(String)));
      expect(answer?.error?.data).toBeUndefined();
      expect(foreignMembers(answer)).toEqual([]);
    },
  );

  it('QA-1: one id for two calls gives two answers', async () => {
    const before = pipe.received.length;
    const params = { name: 'no_such_tool', arguments: {} };
    pipe.send({ jsonrpc: '2.0', id: 'twin', method: 'tools/call', params });
    pipe.send({ jsonrpc: '2.0', id: 'twin', method: 'tools/call', params });
    const twins = (): Message[] => pipe.received.slice(before).filter(({ id }) => id === 'twin');
    await pipe.find(() => twins().length === 2);
    expect(twins().map((answer) => foreignMembers(answer))).toEqual([[], []]);
  });

  it('QA-2: none of it makes the server grow', async () => {
    const huge = HOSTILE.find(({ kind }) => kind === 'too_large') as (typeof HOSTILE)[number];
    const before = pipe.program.memory();
    for (let times = 0; times < 8; times += 1) {
      await assaultPipe(pipe, huge);
    }
    expect(pipe.program.memory() - before).toBeLessThan(120 * 1024 * 1024);
  });
});
