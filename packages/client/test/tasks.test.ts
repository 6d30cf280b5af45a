/** The error that a task ends with is what its call would have been answered: it is final, and advised about as the tool's. */
import { faultOf } from '@mayday/core';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { httpTransport, resilient } from '../src/v1.ts';
import { BUSY } from './declared.ts';
import { FLAVOURS, type Tested } from './flavours.ts';
import { answer, type Script, scriptedHttp } from './scripted-http.ts';

const ANY = z.looseObject({});
const DONE = 'Payment booked as pay_991, but the receipt mail failed: 503';

type Asking = Tested & { request(request: object, schema: unknown): Promise<unknown> };

/** Begins a task, which ends as the script says. */
function ending(reply: (id: unknown, response: Parameters<Script>[1]) => void): Script {
  return ({ id, method }, response) => {
    const task = { taskId: 't-1', status: 'working', createdAt: 'x', lastUpdatedAt: 'x', ttl: null };
    if (method === 'tools/call') answer(response, { jsonrpc: '2.0', id, result: { task } });
    else reply(id, response);
  };
}

const failing = (error: object): Script =>
  ending((id, response) => answer(response, { jsonrpc: '2.0', id, error }));

describe.each(FLAVOURS)('$name', ({ http }) => {
  async function ended(script: Script, name: string) {
    await using server = await scriptedHttp(script);
    const client = http(server.url) as Asking;
    await client.connect();
    await client.listTools();
    await client.request({ method: 'tools/call', params: { name, arguments: {}, task: {} } }, ANY);
    const thrown: unknown = await client
      .request({ method: 'tasks/result', params: { taskId: 't-1' } }, ANY)
      .catch((error: unknown) => error);
    await client.close();
    const asked = server.heard.filter(({ method }) => method === 'tasks/result').length;
    return { fault: faultOf(thrown), asked };
  }

  it('invites nobody to repeat what was done', async () => {
    const { fault, asked } = await ended(failing({ code: -32603, message: DONE }), 'write');
    expect(asked).toBe(1);
    expect(fault).toMatchObject({
      executed: 'maybe',
      retryable: false,
      advice: 'A part of it was done. Find out which; do not repeat the call.',
    });
  });

  it.each([
    ['wrong arguments', { code: -32602, message: 'amount is required' }],
    ['wrong parameters', { code: -32602, message: 'Invalid params' }],
    ['a method that is not there', { code: -32601, message: 'Method not found' }],
    ['no request', { code: -32600, message: 'Invalid Request' }],
    [
      'a limit',
      { code: -32010, message: 'Rate limit exceeded', data: { limit: 1, window: 1, retry_after: 1 } },
    ],
  ])('is not refused by %s once its task was given', async (_, error) => {
    const { fault, asked } = await ended(failing(error), 'write');
    expect([fault?.executed, asked]).toEqual(['maybe', 1]);
  });

  it.each([
    ['wrong arguments', { code: -32602, message: 'amount is required' }],
    [
      'a limit',
      { code: -32010, message: 'Rate limit exceeded', data: { limit: 1, window: 1, retry_after: 1 } },
    ],
  ])('is advised to be looked for, ended with %s', async (_, error) => {
    const { fault } = await ended(failing(error), 'write');
    expect(fault?.advice).toContain('It may have happened; check before you repeat a change.');
  });

  it('has not happened where the server declares so', async () => {
    const declared = failing({ code: -32603, message: 'busy', data: BUSY });
    expect((await ended(declared, 'write')).fault).toMatchObject({ kind: 'overloaded', executed: 'no' });
  });

  it('goes by what the tool says of itself', async () => {
    const busy = failing({ code: -32603, message: 'Service unavailable: 503' });
    const [write, read] = [await ended(busy, 'write'), await ended(busy, 'read')];
    expect([write.asked, read.asked]).toEqual([1, 1]);
    expect(write.fault?.advice).toContain('It may have happened; check before you repeat a change.');
    expect(read.fault?.advice ?? '').not.toContain('It may have happened');
  });

  it('asks again where HTTP has refused the question', async () => {
    const busy = ending((_id, response) => answer(response, 'Service Unavailable', 503));
    expect((await ended(busy, 'write')).asked).toBe(3);
  });
});

it('a stream of v1 keeps the fault of what the transport met, in an error of the SDK’s', async () => {
  const lost = ending((_id, response) => void response.destroy());
  await using server = await scriptedHttp(lost);
  const client = resilient(new Client({ name: 'agent', version: '1' }), {
    attempts: 1,
    transport: () => httpTransport(server.url),
  });
  await client.connect();
  const stream = client.experimental.tasks.callToolStream({ name: 'write' }, undefined, { task: {} });
  const messages: { readonly type: string; readonly error?: Error }[] = [];
  for await (const message of stream) messages.push(message as never);
  await client.close();
  expect(messages.map(({ type }) => type)).toEqual(['taskCreated', 'error']);
  const error = messages.at(-1)?.error;
  expect(error).toBeInstanceOf(McpError);
  expect(faultOf(error)).toMatchObject({ kind: 'disconnected' });
});
