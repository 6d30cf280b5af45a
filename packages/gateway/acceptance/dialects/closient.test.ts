/** The gateway for callers who want `closient`, held against Closient's document. */
import { describe, expect, it } from 'vitest';
import { DOOR, IDS, NO_JSON, NO_REQUEST, PUPPETS, SDKS, useDialectHouse } from '../support/dialect-house.ts';
import type { Message } from '../support/http.ts';
import { call } from '../support/messages.ts';
import { failing } from '../support/world.ts';

const house = useDialectHouse('closient');

const PROBLEM = ['detail', 'error_code', 'retryable', 'status', 'timestamp', 'title', 'type'];

const CODES: Record<number, readonly [name: string, retryable: boolean]> = {
  [-32001]: ['unauthorized', false],
  [-32002]: ['forbidden', false],
  [-32003]: ['rate_limited', true],
  [-32100]: ['bad_request', false],
  [-32101]: ['validation_error', false],
  [-32102]: ['unprocessable_entity', false],
  [-32200]: ['not_found', false],
  [-32201]: ['conflict', false],
  [-32300]: ['internal_error', true],
};

/** An error object of the document's, wherever it stands; `more` are members beyond the seven. */
function judgeError(error: Message, code: number, more: readonly string[] = []): Message {
  const [name, retryable] = CODES[code] ?? ['', false];
  expect(Object.keys(error).toSorted()).toEqual(['code', 'data', 'message']);
  const data: Message = error['data'];
  expect(error).toMatchObject({
    code,
    message: data['title'],
    data: { type: `https://closient.com/docs/errors/${name}`, error_code: name, retryable },
  });
  const members = [...PROBLEM, ...more];
  expect(Object.keys(data).filter((key) => !members.includes(key))).toEqual([]);
  expect(members.filter((key) => !Object.hasOwn(data, key))).toEqual([]);
  expect(data['timestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  return data;
}

/** A failing tool: `result.error`, beside it what standard clients need and what the server gave. */
function judgeTool(message: Message, code: number, more: readonly string[] = []): Message {
  expect(Object.keys(message).toSorted()).toEqual(['id', 'jsonrpc', 'result']);
  const { error, isError, content, _meta = {}, ...others } = message['result'];
  expect(others).toEqual({});
  expect(isError).toBe(true);
  expect(content[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/\S/) });
  expect(Object.keys(_meta).filter((key) => !key.startsWith('dev.mayday/'))).toEqual([]);
  return judgeError(error, code, more);
}

/** A refusal before a tool is found: at the top of the response. */
function judgeTop(message: Message, code: number, ids: readonly unknown[]): Message {
  expect(Object.keys(message).toSorted()).toEqual(['error', 'id', 'jsonrpc']);
  expect(ids).toContain(message['id']);
  const { 'dev.mayday/error': _, ...data } = message['error'].data;
  return judgeError({ ...message['error'], data }, code);
}

describe.each(SDKS)('a plain server of SDK %s', (sdk) => {
  it('CL-23 an unknown tool: -32200', async () => {
    const { result, error } = await house.call(sdk, 'nonexistent_tool');
    judgeError(result?.error ?? error, -32200);
  });

  it.each([
    ['missing', { guest: { email: 'a' } }, /seats/],
    ['of a wrong type', { guest: { email: 'a' }, seats: 'two' }, /seats/],
    ['unknown', { guest: { email: 'a' }, seats: 2, colour: 'red' }, /colour/],
  ])('CL-21 arguments that are %s: -32101 with the field', async (_name, args, field) => {
    const message = await house.call(sdk, 'book', args);
    const extension = Object.keys(message['result'].error.data).filter((key) => !PROBLEM.includes(key));
    const data = judgeTool(message, -32101, extension);
    expect(extension.length).toBeLessThanOrEqual(1);
    expect(JSON.stringify(data)).toMatch(field);
  });

  it.each([
    ['CL-25', 'error', -32300],
    ['CL-25', 'refused', -32300],
    ['CL-25', 'timeout', -32300],
    ['CL-23', 'parsed-404', -32200],
    ['CL-24', 'parsed-409', -32201],
    ['CL-25', 'parsed-500', -32300],
    ['CL-25', 'parsed-503', -32300],
    ['CL-19', 'parsed-429', -32003],
  ])('%s a tool that throws (%s): %i', async (_id, how, code) => {
    judgeTool(await house.call(sdk, 'fail', { how }), code);
  });

  it("an unknown method is JSON-RPC's own -32601, without anybody's data", async () => {
    const { error } = await house.ask(sdk, 'nonexistent/method');
    expect(error.code).toBe(-32601);
    const known = [...PROBLEM, 'dev.mayday/error'];
    expect(Object.keys(error.data ?? {}).filter((key) => !known.includes(key))).toEqual([]);
  });
});

describe.each(PUPPETS)('a puppet (%s)', (puppet) => {
  it('CL-3 CL-33 a result that is marked as an error has the member too, and keeps its words', async () => {
    const message = await house.script(puppet, failing('The printer is out of paper'));
    judgeTool(message, -32300);
    expect(JSON.stringify(message['result'].content)).toContain('The printer is out of paper');
  });

  it('CL-23 a body in a text', async () => {
    judgeTool(await house.script(puppet, failing('{"code":404,"error":"Client not found"}')), -32200);
  });

  it('CL-25 an error of the server', async () => {
    const error = { code: -32603, message: 'Internal error' };
    const { result, error: top } = await house.script(puppet, { answer: { error } });
    judgeError(result?.error ?? top, -32300);
  });

  it('CL-20 JSON that is nothing', async () => {
    for (const [, body] of NO_REQUEST) judgeTop((await house.raw(puppet, body)).message, -32100, IDS);
    judgeTop((await house.raw(puppet, NO_JSON)).message, -32100, [null]);
  });
});

it('CL-19 a server that answers 429: -32003 with its wait', async () => {
  const head = { head: 429, headers: { 'content-type': 'application/json', 'retry-after': '7' } };
  const message = await house.script('u', head, { say: '{"error":"Slow down"}' });
  const { result, error } = message;
  expect(judgeError(result?.error ?? error, -32003, ['retry_after'])['retry_after']).toBe(7);
});

it('CL-25 a server that falls silent: -32300', async () => {
  judgeTool(await house.script('u', { hang: true }), -32300);
});

it('CL-25 a server that is not there: -32300', async () => {
  const { result, error } = await house.call('gone', 'echo');
  judgeError(result?.error ?? error, -32300);
});

it('CL-17 a caller without a key: -32001', async () => {
  const { message } = await house.raw('p', call('echo'), { key: 'nobody-has-this' });
  judgeError(message['result']?.error ?? message['error'], -32001);
});

it.each(DOOR)('CL-20 what the door refuses for its %s', async (what, status, body, options) => {
  const answer = await house.raw('p', body, options);
  expect(answer.status).toBe(status);
  judgeTop(answer.message, what === 'Host' ? -32002 : -32100, IDS);
});
