import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assaultEndpoint, assaultPipe, foreignMembers, HOSTILE, REFUSED } from '../../acceptance/hostile.ts';
import { Endpoint, exchange, MCP_HEADERS, post } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import { serveStdio } from '../../acceptance/reference.ts';
import type { Pipe } from '../../acceptance/stdio.ts';
import { callTool } from '../../acceptance/wire.ts';
import { type Bridge, coded, KEY, openBridge, passed, protocolError, UNAUTHORIZED } from './bridge.ts';

const REFUSAL = '{"code":401,"error":"Invalid API Key","details":"Regenerate it."}';
const headers = { authorization: `Bearer ${KEY}` };
let bridge: Bridge;
let pipe: Pipe;
beforeAll(async () => {
  bridge = await openBridge(() => ({ status: 401, body: REFUSAL }));
  pipe = serveStdio('platica', bridge.folder, ['--api-url', bridge.backend.url], {
    env: { PLATICA_API_KEY: KEY },
  });
  await pipe.initialize();
}, SLOW);
afterAll(async () => {
  await pipe.close();
  await bridge.close();
});

const LIST = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'list_clients', arguments: {} } };

describe('the Authorization header', () => {
  it.each([
    undefined,
    '',
    'Basic YTpi',
    'Bearer',
    'Bearer x',
    'Bearer pl_secret_1',
    'pl_key_1_2',
    'Bearer xpl_key_1_2',
  ])('PL-15 PL-16: %j is -32001, and nothing is asked of the interface', async (authorization) => {
    const before = bridge.backend.visits.length;
    const answer = await post(bridge.server.mcp, LIST, authorization === undefined ? {} : { authorization });
    expect(answer.status).toBe(401);
    expect(answer.messages[0]).toEqual({ jsonrpc: '2.0', id: 5, error: UNAUTHORIZED });
    expect(bridge.backend.visits.length).toBe(before);
  });

  it.each(['pl_key_1', 'pl_key_x', 'pl_key_aa_bb', 'pl_key_wrong_but_well_formed', 'pl_key_ABC-def.123'])(
    'PL-8 PL-16: Bearer %s goes to the interface, which says 401',
    async (key) => {
      const endpoint = new Endpoint(bridge.server.mcp, { authorization: `Bearer ${key}` });
      expect((await callTool(endpoint, 'list_clients', {})).result).toEqual(passed(REFUSAL));
    },
  );

  it(
    'PL-16: without a key on stdio it is -32001 too',
    async () => {
      const keyless = serveStdio('platica', bridge.folder, ['--api-url', bridge.backend.url], {
        env: { PLATICA_API_KEY: '' },
      });
      keyless.send(LIST);
      const answer = await keyless.answerTo(5).catch((error: Error) => ({ error }));
      await keyless.close();
      expect(answer.error).toEqual(UNAUTHORIZED);
    },
    SLOW,
  );
});

describe('the method', () => {
  it.each(['GET', 'DELETE'])('PL-17: %s is -32000 and says that only POST is accepted', async (method) => {
    const answer = await exchange(bridge.server.mcp, { method, headers });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    expect(protocolError(answer.messages[0])).toEqual(coded(-32000));
    expect(answer.messages[0]?.id).toBeNull();
  });
});

const MALFORMED = HOSTILE.filter(({ kind }) => ['parse', 'request', 'params', 'too_large'].includes(kind));
const OTHERS = HOSTILE.filter(({ kind }) => ['fails', 'silent'].includes(kind));

describe('a JSON-RPC call that is malformed', () => {
  it.each(MALFORMED)('PL-3 PL-15 PL-18: $name over HTTP is -32602', async (hostile) => {
    const before = bridge.backend.visits.length;
    const answer = await assaultEndpoint(bridge.server.mcp, hostile, headers);
    expect(protocolError(answer.messages[0])).toEqual(coded(-32602));
    expect([hostile.id, null]).toContain(answer.messages[0]?.id);
    expect(bridge.backend.visits.length).toBe(before);
  });

  it.each(MALFORMED)('PL-3 PL-18: $name on stdio is -32602, and the connection goes on', async (hostile) => {
    const [answer, ...more] = await assaultPipe(pipe, hostile);
    expect(protocolError(answer)).toEqual(coded(-32602));
    expect([hostile.id, null]).toContain(answer?.id);
    expect(more).toEqual([]);
  });

  it.each(REFUSED.filter(({ status }) => status !== 405))(
    'PL-3 PL-15: $name is $status and one of the four codes',
    async (question) => {
      const answer = await exchange(bridge.server.mcp, {
        ...question,
        headers: { ...question.headers, ...headers },
      });
      expect(answer.status).toBe(question.status);
      const { keys, code } = protocolError(answer.messages[0]);
      expect([keys, answer.messages[0]?.id]).toEqual([['code', 'message'], null]);
      expect([-32000, -32001, -32602, -32603]).toContain(code);
    },
  );

  it.each(OTHERS)('PL-3 PL-15: $name does not end the connection', async (hostile) => {
    const answers = await assaultPipe(pipe, hostile);
    expect(answers.length).toBe(hostile.kind === 'silent' ? 0 : 1);
    expect(foreignMembers(answers)).toEqual([]);
  });

  it('PL-18: none of it makes the server grow', async () => {
    const huge = HOSTILE.find(({ kind }) => kind === 'too_large') as (typeof HOSTILE)[number];
    const before = pipe.program.memory();
    for (let times = 0; times < 8; times += 1) {
      await assaultPipe(pipe, huge);
    }
    expect(pipe.program.memory() - before).toBeLessThan(120 * 1024 * 1024);
  });
});

describe('what cannot be executed', () => {
  it.each(['stdio', 'HTTP'])(
    'PL-1 PL-3 PL-15: a tool that does not exist is a protocol error, over %s',
    async (over) => {
      const before = bridge.backend.visits.length;
      const answer = await callTool(over === 'stdio' ? pipe : bridge.endpoint, 'no_such_tool', {});
      expect(answer).not.toHaveProperty('result');
      expect(protocolError(answer)).toEqual(coded(-32602));
      expect(bridge.backend.visits.length).toBe(before);
    },
  );

  it.each(['stdio', 'HTTP'])(
    'PL-1 PL-3: a method that does not exist is a protocol error, over %s',
    async (over) => {
      const answer = await (over === 'stdio' ? pipe : bridge.endpoint).request('clients/steal', {});
      expect(answer).not.toHaveProperty('result');
      expect(Object.keys(answer.error ?? {}).sort()).toEqual(['code', 'message']);
    },
  );

  it(
    'PL-2: a call that is in flight when stdin ends is still answered',
    async () => {
      const last = serveStdio('platica', bridge.folder, ['--api-url', bridge.backend.url], {
        env: { PLATICA_API_KEY: KEY },
      });
      await last.initialize();
      last.send({ ...LIST, id: 'last' });
      last.program.child.stdin?.end();
      const answer = await last.answerTo('last').catch((error: Error) => ({ result: error.message }));
      await last.close();
      expect(answer.result).toEqual(passed(REFUSAL));
    },
    SLOW,
  );

  it('PL-17: HEAD and OPTIONS are no calls either', async () => {
    for (const method of ['HEAD', 'PATCH']) {
      expect(
        (await exchange(bridge.server.mcp, { method, headers: { ...MCP_HEADERS, ...headers } })).status,
      ).toBe(405);
    }
  });
});
