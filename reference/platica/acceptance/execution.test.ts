import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../acceptance/backend.ts';
import { FAST_CLOCK, SLOW } from '../../acceptance/program.ts';
import { callTool, type Message } from '../../acceptance/wire.ts';
import { type Bridge, KEY, openBridge, passed, protocolError } from './bridge.ts';

let bridge: Bridge;
let reply: Reply = { body: '{}' };
beforeAll(async () => {
  bridge = await openBridge(() => reply);
}, SLOW);
afterAll(() => bridge.close());

function when(next: Reply): Promise<Message> {
  reply = next;
  return callTool(bridge.endpoint, 'get_client', { id: 'cli_1' });
}

const BODY = '{"code":404,"error":"Client not found","details":"..."}';

describe('answers that are not 2xx', () => {
  it.each([300, 400, 401, 402, 403, 404, 405, 409, 410, 418, 422, 429, 451, 500, 501, 502, 503, 504, 599])(
    'PL-1 PL-2 PL-4 PL-5 PL-14: %i becomes an execution error with the body, raw and parsed',
    async (status) => {
      const body = `{"code":${status},"error":"It said no","details":"Because"}`;
      const answer = await when({ status, body });
      expect(answer).not.toHaveProperty('error');
      expect(answer.result).toEqual(passed(body));
    },
  );

  it('PL-4: 304 has no body, and is an execution error', async () => {
    const { result } = await when({ status: 304, headers: {}, body: '' });
    expect([result?.isError, result?.content?.[0]?.text]).toEqual([true, '']);
  });

  it.each([301, 302, 307, 308])('PL-4: %i is not followed', async (status) => {
    const before = bridge.backend.visits.length;
    const headers = { 'content-type': 'application/json', location: '/elsewhere' };
    const { result } = await when({ status, headers, body: '{"code":301,"error":"Moved"}' });
    expect([result?.isError, result?.content?.[0]?.text]).toEqual([true, '{"code":301,"error":"Moved"}']);
    expect(bridge.backend.visits.length).toBe(before + 1);
  });

  it.each([200, 201])('PL-4: %i is a success with the parsed body', async (status) => {
    const { result } = await when({ status, body: '{"id":"cli_1","name":"Ana"}' });
    expect(result?.isError ?? false).toBe(false);
    expect(result?.structuredContent).toEqual({ id: 'cli_1', name: 'Ana' });
  });

  it('PL-4: 204 is a success', async () => {
    const { result } = await when({ status: 204, headers: {}, body: '' });
    expect(result?.isError ?? false).toBe(false);
  });

  it('PL-13: the document’s example is what comes', async () => {
    reply = { status: 404, body: BODY };
    const answer = await callTool(bridge.endpoint, 'get_client', { id: 'cli_1' });
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: answer.id,
      result: {
        isError: true,
        content: [{ type: 'text', text: '{"code":404,"error":"Client not found","details":"..."}' }],
        structuredContent: { code: 404, error: 'Client not found', details: '...' },
      },
    });
  });
});

describe('the body', () => {
  it.each([
    ['with its white space', '{ "code": 404,\n\t"error":  "No" }\n'],
    [
      'with an address in it',
      '{"code":404,"error":"No client ana@example.com","details":"+52 55 1234 5678"}',
    ],
    [
      'with a long number that is no card, and a word that is no token',
      '{"code":422,"error":"4111111111111112","details":"Bearer abc.def.ghi"}',
    ],
    [
      'with members of every kind',
      '{"code":400,"errors":[{"field":"url","message":"https only"}],"n":1.50,"x":null,"ñ":"✓"}',
    ],
    ['with a key twice', '{"code":404,"code":405,"error":"No"}'],
  ])('PL-5 PL-14: %s is passed to the byte, and the parsed one agrees with it', async (_name, body) => {
    expect((await when({ status: 400, body })).result).toEqual(passed(body));
  });

  it('PL-5: a card number is a secret, and is taken out', async () => {
    const { result } = await when({ status: 422, body: '{"code":422,"error":"Declined: 4111111111111111"}' });
    expect(JSON.stringify(result)).not.toContain('4111111111111111');
    expect(result?.structuredContent).toMatchObject({ code: 422 });
  });

  it.each([
    ['text', 'Bad Gateway'],
    ['a page', '<html><body>502</body></html>'],
    ['half a document', '{"code":500,"err'],
    ['nothing', ''],
  ])('PL-5 PL-14: %s is passed raw, and nothing is parsed', async (_name, body) => {
    const { result } = await when({ status: 502, headers: { 'content-type': 'text/html' }, body });
    expect(result).toEqual({ isError: true, content: [{ type: 'text', text: body }] });
  });

  it.each(['[1,2]', '"no"', '42', 'null', 'true'])('PL-5 PL-14: %s is JSON, but no object', async (body) => {
    const { result } = await when({ status: 400, body });
    expect([result?.isError, result?.content?.[0]?.text]).toEqual([true, body]);
    expect(result).not.toHaveProperty('structuredContent');
  });

  it('PL-4 PL-5: a body of two megabytes arrives', async () => {
    const body = JSON.stringify({ code: 500, error: 'x'.repeat(2_000_000) });
    expect((await when({ status: 500, body })).result?.content?.[0]?.text?.length).toBe(body.length);
  });

  it.each([1000, 5000, 50_000])('PL-4 PL-5: a body nested %i deep is answered', async (depth) => {
    const body = `{"code":500,"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const { result } = await when({ status: 500, body });
    expect([result?.isError, result?.content?.[0]?.text === body]).toEqual([true, true]);
  });

  it('PL-5: bytes that are no UTF-8 do not stop the answer', async () => {
    const { result } = await when({ status: 500, body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) });
    expect([result?.isError, result?.content?.length]).toEqual([true, 1]);
  });
});

describe('an interface that does not answer', () => {
  it.each([
    ['hangs up', 'reset' as const],
    ['stops in the middle of a success', 'cut' as const],
    ['sends half a document with 200', { status: 200, body: '{"id":' }],
  ])('PL-1 PL-19: one that %s is -32603, in words that tell nothing', async (_name, next) => {
    const answer = await when(next);
    expect(answer).not.toHaveProperty('result');
    expect(protocolError(answer)).toEqual({ keys: ['code', 'message'], code: -32603 });
    expect(answer.error.message).not.toMatch(/ECONN|socket|JSON|127\.0|undici|fetch/i);
  });

  it(
    'PL-19: one that is gone is -32603, and the cause is in the log',
    async () => {
      const gone = await openBridge(() => 'hang');
      await gone.backend.close();
      const answer = await callTool(gone.endpoint, 'get_client', { id: 'cli_1' });
      const change = await callTool(gone.endpoint, 'create_client', { name: 'Ada' });
      const log = gone.server.program.errors();
      await gone.close();
      expect(answer.error?.code).toBe(-32603);
      // What was never sent has not happened.
      expect(change.error).toEqual({ code: -32603, message: 'Internal MCP server error' });
      expect(log).toContain('ECONNREFUSED');
    },
    SLOW,
  );

  it(
    'PL-19 PL-4: one that hangs is given up by the bridge, without a body that nobody sent',
    async () => {
      const slow = await openBridge(() => 'hang', FAST_CLOCK);
      const answer = await callTool(slow.endpoint, 'get_client', { id: 'cli_1' }).catch((error: Error) => ({
        error,
      }));
      await slow.close();
      expect(protocolError(answer)).toEqual({ keys: ['code', 'message'], code: -32603 });
    },
    SLOW,
  );

  it('PL-8: the key goes to the interface as it came', () => {
    expect(bridge.backend.visits.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});
