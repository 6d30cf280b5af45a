import { describe, expect, it } from 'vitest';
import { atTheDoor } from './door.ts';

const authorization = `Bearer pl_key_abc_${'x'.repeat(32)}`;
const CALL = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}';

/** Knocks; gives what came back, or `passed` with the body that went on. */
async function knock(body: string | null, init: RequestInit = {}, path = '/mcp'): Promise<unknown> {
  const request = new Request(`http://x${path}`, {
    method: 'POST',
    headers: { authorization },
    body,
    ...init,
  });
  const answer = await atTheDoor(request, async (passed) => new Response(`passed ${await passed.text()}`));
  const text = await answer.text();
  if (answer.ok || text === '') return text || answer.status;
  const { id, error } = JSON.parse(text);
  return { status: answer.status, id, code: error.code, message: error.message };
}

const malformed = (id: unknown) => ({
  status: 400,
  id,
  code: -32602,
  message: 'The JSON-RPC call is malformed',
});

describe('the door', () => {
  it.each([
    CALL,
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{}}',
    '{"jsonrpc":"2.0","id":7,"result":{}}',
    '{"jsonrpc":"2.0","id":7,"error":{"code":1}}',
  ])('lets %s through as it came', async (body) => {
    expect(await knock(body)).toBe(`passed ${body}`);
  });

  it.each([
    ['', null],
    ['{', null],
    ['7', null],
    ['null', null],
    ['"text"', null],
    [`[${CALL}]`, null],
    ['{"jsonrpc":"1.0","id":"a","method":"tools/list"}', 'a'],
    ['{"jsonrpc":"2.0","id":7}', 7],
    ['{"jsonrpc":"2.0","id":7,"method":5}', 7],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}', 7],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/list","params":null}', 7],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/list","params":"x"}', 7],
    ['{"jsonrpc":"2.0","id":{},"method":5}', null],
  ])('PL-18 refuses %s', async (body, id) => {
    expect(await knock(body)).toEqual(malformed(id));
  });

  it('PL-16 asks for the key first, and says whose call it was', async () => {
    const unauthorized = {
      status: 401,
      code: -32001,
      message: 'Unauthorized: missing or invalid Authorization header',
    };
    expect(await knock(CALL, { headers: {} })).toMatchObject({ ...unauthorized, id: 7 });
    expect(await knock('{', { headers: {} })).toMatchObject({ ...unauthorized, id: null });
    expect(await knock('x'.repeat(1_048_577), { headers: {} })).toMatchObject(unauthorized);
  });

  it('PL-18 takes a megabyte', async () => {
    const padded = (size: number) => CALL.padEnd(size);
    expect(await knock(padded(1_048_576))).toBe(`passed ${padded(1_048_576)}`);
    expect(await knock(padded(1_048_577))).toEqual({
      status: 413,
      id: null,
      code: -32602,
      message: 'The JSON-RPC call is too large',
    });
  });

  it('PL-17 is at /mcp, and only for POST', async () => {
    expect(await knock(CALL, {}, '/')).toBe(404);
    expect(await knock(null, { method: 'GET' })).toEqual({
      status: 405,
      id: null,
      code: -32000,
      message: 'Method not allowed.',
    });
    const request = (method: string, headers = {}) => new Request('http://x/mcp', { method, headers });
    const passing = async () => new Response();
    expect((await atTheDoor(request('PUT'), passing)).headers.get('allow')).toBe('POST');
    expect((await atTheDoor(request('POST'), passing)).headers.get('www-authenticate')).toBe('Bearer');
  });
});
