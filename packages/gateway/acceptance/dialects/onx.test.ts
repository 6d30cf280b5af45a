/** The gateway for callers who want `onx`, held against onX's error model. */
import { describe, expect, it } from 'vitest';
import { DOOR, IDS, NO_JSON, NO_REQUEST, PUPPETS, SDKS, useDialectHouse } from '../support/dialect-house.ts';
import type { Message } from '../support/http.ts';
import { call } from '../support/messages.ts';
import { failing } from '../support/world.ts';

const house = useDialectHouse('onx');

const RETRYABLE: Record<number, boolean> = {
  2001: false,
  2002: false,
  2003: false,
  3001: true,
  3002: true,
  4001: false,
  4002: true,
  5001: false,
};

const PROTOCOL: Record<number, string> = {
  [-32700]: 'Parse error',
  [-32600]: 'Invalid request',
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
  [-32603]: 'Internal error',
};

const DETAILS = ['context', 'field', 'originalError', 'reason', 'suggestion'];

function foreignKeys(details: Message | undefined, known: readonly string[]): string[] {
  return Object.keys(details ?? {}).filter((key) => !known.includes(key));
}

/** A domain failure: `result.error` as ErrorResponse. */
function judgeDomain(message: Message, codes: readonly number[]): Message {
  expect(Object.keys(message).toSorted()).toEqual(['id', 'jsonrpc', 'result']);
  const { error, isError, content, _meta = {}, ...others } = message['result'];
  expect(codes).toContain(error.code);
  expect(others).toEqual({});
  expect(isError).toBe(true);
  expect(content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/\S/) });
  expect(foreignKeys(error, ['code', 'message', 'retryable', 'details'])).toEqual([]);
  expect(error).toMatchObject({ message: expect.stringMatching(/\S/), retryable: RETRYABLE[error.code] });
  expect(foreignKeys(error.details, DETAILS)).toEqual([]);
  expect(error.details?.reason ?? 'none').toMatch(/^[\w.:-]+$/);
  expect(Object.keys(_meta).filter((key) => !key.startsWith('dev.mayday/'))).toEqual([]);
  return error;
}

/** A failure of the protocol: at the top of the response, under its fixed name. */
function judgeProtocol(message: Message, code: number, ids: readonly unknown[] = [1]): Message {
  expect(Object.keys(message).toSorted()).toEqual(['error', 'id', 'jsonrpc']);
  expect(ids).toContain(message['id']);
  const error: Message = message['error'];
  expect(foreignKeys(error, ['code', 'message', 'data'])).toEqual([]);
  expect(error).toMatchObject({ code, message: PROTOCOL[code] });
  expect(foreignKeys(error['data'], [...DETAILS, 'dev.mayday/error'])).toEqual([]);
  return error['data'] ?? {};
}

describe.each(SDKS)('a plain server of SDK %s', (sdk) => {
  it('EM-2 an unknown tool is -32602, the field is its name', async () => {
    expect(judgeProtocol(await house.call(sdk, 'nonexistent_tool'), -32602)['field']).toBe('name');
  });

  it('EM-2 an unknown method is -32601', async () => {
    judgeProtocol(await house.ask(sdk, 'nonexistent/method'), -32601);
  });

  it.each([
    ['missing', { guest: { email: 'a' } }, 'seats'],
    ['of a wrong type', { guest: { email: 'a' }, seats: 'two' }, 'seats'],
    ['unknown', { guest: { email: 'a' }, seats: 2, colour: 'red' }, 'colour'],
  ])('EM-26 EM-36 arguments that are %s have their field', async (_name, args, field) => {
    const { result, error } = await house.call(sdk, 'book', args);
    expect([2001, 2002, 2003, -32602]).toContain((result?.error ?? error).code);
    expect((result?.error.details ?? error.data).field).toBe(field);
  });

  it.each([
    ['EM-25', 'error', 4001],
    ['EM-25', 'type', 4001],
    ['EM-20', 'refused', 4002],
    ['EM-18', 'timeout', 3002],
    ['EM-19', 'parsed-404', 4001],
    ['EM-19', 'parsed-409', 4001],
    ['EM-19', 'parsed-500', 4001],
    ['EM-20', 'parsed-503', 4002],
    ['EM-17', 'parsed-429', 3001],
  ])('%s a tool that throws (%s): %i', async (_id, how, code) => {
    judgeDomain(await house.call(sdk, 'fail', { how }), [code]);
  });

  it('EM-34 EM-37 without the secrets in it', async () => {
    const message = await house.call(sdk, 'fail', { how: 'secret' });
    judgeDomain(message, [4001]);
    expect(JSON.stringify(message)).not.toMatch(/hunter2|10\.0\.0\.5|jane\.doe/);
  });
});

describe.each(PUPPETS)('a puppet (%s)', (puppet) => {
  it('EM-3 EM-25 a result that is marked as an error has the member too, and keeps its words', async () => {
    const message = await house.script(puppet, failing('The printer is out of paper'));
    judgeDomain(message, [4001]);
    expect(JSON.stringify(message['result'].content)).toContain('The printer is out of paper');
  });

  it('EM-19 a body in a text', async () => {
    judgeDomain(await house.script(puppet, failing('{"code":404,"error":"Client not found"}')), [4001]);
  });

  it('EM-7 EM-34 an error of the server: of its data nothing stands among the members of the document', async () => {
    const error = { code: -32603, message: 'Internal error', data: { host: '10.0.0.5' } };
    const { result, error: top } = await house.script(puppet, { answer: { error } });
    expect([4001, -32603]).toContain((result?.error ?? top).code);
    expect(foreignKeys(result?.error.details ?? top.data, [...DETAILS, 'dev.mayday/error'])).toEqual([]);
    expect(JSON.stringify([result, top])).not.toContain('10.0.0.5');
  });

  it.each(NO_REQUEST)('EM-2 %s is -32600', async (_what, body) => {
    judgeProtocol((await house.raw(puppet, body)).message, -32600, IDS);
  });

  it('EM-2 EM-24 what is no JSON is -32700', async () => {
    judgeProtocol((await house.raw(puppet, NO_JSON)).message, -32700, [null]);
  });
});

it('EM-17 a server that answers 429: 3001', async () => {
  const head = { head: 429, headers: { 'content-type': 'application/json', 'retry-after': '7' } };
  judgeDomain(await house.script('u', head, { say: '{"error":"Slow down"}' }), [3001]);
});

it('EM-18 a server that falls silent: 3002', async () => {
  judgeDomain(await house.script('u', { hang: true }), [3002]);
});

it('EM-20 a server that is not there: 4002', async () => {
  judgeDomain(await house.call('gone', 'echo'), [4002]);
});

it('EM-1 a caller without a key gets a code of the document', async () => {
  const { message } = await house.raw('p', call('echo'), { key: 'nobody-has-this' });
  const { result, error } = message;
  expect([4001, -32600]).toContain((result?.error ?? error).code);
  expect(foreignKeys(result?.error.details ?? error.data, [...DETAILS, 'dev.mayday/error'])).toEqual([]);
});

it.each(DOOR)('EM-24 what the door refuses for its %s is -32600', async (_what, status, body, options) => {
  const answer = await house.raw('p', body, options);
  expect(answer.status).toBe(status);
  judgeProtocol(answer.message, -32600, IDS);
});
