/** What tasks say of themselves and of what they came to, at servers that answer for their tasks themselves. */
import * as v1 from '@mayday/server/v1';
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import { connectRaw, type RawClient } from './wire.ts';

const SECRET = 'connect postgres://svc:hunter2Sup3r@10.0.0.5/x password=s3cr3t-pw-99';
const LEAKS = /hunter2|s3cr3t/;
/** What looks like a key all the same. */
const ID = 'sk-live-Zx81kd0PXw77Qq';
const PICTURE = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUg==' };

const base = {
  taskId: ID,
  ttl: 1000,
  createdAt: '2026-01-01T00:00:00Z',
  lastUpdatedAt: '2026-01-01T00:00:01Z',
};
const failed = { ...base, status: 'failed' };
const error = { code: -32000, message: `died: ${SECRET}`, data: { why: SECRET } };
const failing = {
  isError: true,
  content: [{ type: 'text', text: SECRET }, PICTURE],
  structuredContent: { a: SECRET },
  _meta: { a: SECRET },
};

const TASKS: { readonly [what: string]: object } = {
  'words of its status': { ...failed, statusMessage: SECRET },
  'a list of words': { ...failed, statusMessage: [SECRET] },
  'an object of words': { ...failed, statusMessage: { text: SECRET } },
  'an error': { ...failed, error },
  'a failing result': { ...failed, result: failing },
  'a failing result of one that is done': { ...base, status: 'completed', result: failing },
  'its meta': { ...failed, _meta: { log: SECRET } },
  'its history': { ...failed, history: [{ at: 1, message: SECRET }] },
  'its progress': { ...base, status: 'working', progress: { message: SECRET } },
  'words of its work': { ...base, status: 'working', statusMessage: SECRET },
  'an error, at work': { ...base, status: 'working', error, lastError: SECRET },
  'an error of one that is done': { ...base, status: 'completed', error, statusMessage: SECRET },
  'errors of one that is done': { ...base, status: 'completed', errors: [error] },
  'a failure of one that is done': { ...base, status: 'completed', failure: error, reason: SECRET },
  'the last error of one that is done': { ...base, status: 'completed', last_error: SECRET },
  'an exception of one that is done': { ...base, status: 'completed', exception: { stack: SECRET } },
  'an error under another status': { ...base, status: 'FAILED', error, result: { content: [] } },
  'an error without a status': { ...base, error },
  'a fault beside its work': {
    ...base,
    status: 'working',
    _meta: { 'dev.mayday/fault': { message: SECRET } },
  },
  'words, given up': { ...base, status: 'cancelled', statusMessage: SECRET, error },
};

const METHODS = ['tasks/get', 'tasks/cancel', 'tasks/update'];

async function serving(task: object, called: object = {}, dialect?: 'qaqnuz'): Promise<RawClient> {
  const plain = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
  const server = guard(plain, dialect === undefined ? {} : { dialect });
  const schemas = { params: z.looseObject({}), result: z.looseObject({}) };
  for (const method of METHODS) server.setRequestHandler(method, schemas, (async () => task) as never);
  server.setRequestHandler('tasks/list', schemas, (async () => ({ tasks: [task] })) as never);
  server.setRequestHandler('tools/call', (async () => called) as never);
  const client = await connectRaw(server as never);
  const clientInfo = { name: 'c', version: '1' };
  await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return client;
}

describe.each(Object.entries(TASKS))('%s', (_, task) => {
  it('go out without secrets, under the id of the task', async () => {
    const client = await serving(task);
    for (const method of METHODS) {
      const { result } = await client.ask(method, { taskId: ID });
      expect(JSON.stringify(result)).not.toMatch(LEAKS);
      expect(result).toMatchObject(base);
    }
    const { result } = await client.ask('tasks/list', {});
    expect(JSON.stringify(result)).not.toMatch(LEAKS);
    expect(result).toMatchObject({ tasks: [base] });
  });

  it.each([
    ['flat', { resultType: 'task', ...task }],
    ['inside', { content: [], task }],
  ])('nor in the answer that makes the task, %s', async (_how, called) => {
    const client = await serving(task, called);
    for (const more of [{}, { task: { ttl: 1000 } }]) {
      const answer = await client.ask('tools/call', { name: 't', arguments: {}, ...more });
      expect(JSON.stringify(answer)).not.toMatch(LEAKS);
      expect(JSON.stringify(answer)).toContain(ID);
    }
  });
});

it.each(Object.values(TASKS))('nor where nothing says that it is a task: %j', async (task) => {
  const client = await serving(task, { content: [], ...task });
  const answer = await client.ask('tools/call', { name: 't', arguments: {} });
  expect(JSON.stringify(answer)).not.toMatch(LEAKS);
});

it('at a server on v1', async () => {
  const server = v1.guard(
    new ServerV1({ name: 's', version: '1' }, { capabilities: { tools: {}, tasks: {} } }),
  );
  const made = { content: [], resultType: 'task', ...failed, error };
  const schema = z.object({ method: z.literal('tasks/get'), params: z.looseObject({}) });
  server.setRequestHandler(CallToolRequestSchema, async () => made as never);
  server.setRequestHandler(schema as never, (async () => ({ ...failed, error, result: failing })) as never);
  const client = await connectRaw(server as never);
  for (const [method, params] of [
    ['tasks/get', { taskId: ID }],
    ['tools/call', { name: 't', arguments: {} }],
  ] as const) {
    const answer = await client.ask(method, params);
    expect(JSON.stringify(answer)).not.toMatch(LEAKS);
    expect(answer.result).toMatchObject({ taskId: ID, status: 'failed', error: { code: -32000 } });
  }
});

it('leaves pictures, and what a task has done, as they are', async () => {
  const held = await (await serving({ ...failed, result: failing })).ask('tasks/get', { taskId: ID });
  expect(held.result).toMatchObject({ result: { isError: true, content: [{ type: 'text' }, PICTURE] } });
  const result = { content: [{ type: 'text', text: SECRET }] };
  const done = { ...base, status: 'completed', result };
  expect((await (await serving(done)).ask('tasks/get', { taskId: ID })).result).toMatchObject(done);
  const more = { ...done, default: SECRET, errors: [], failure: null, isError: false };
  expect((await (await serving(more)).ask('tasks/get', { taskId: ID })).result).toMatchObject(more);
});

it('says in a closed dialect of what a task came to no more than its answers do', async () => {
  const said = 'duplicate key value violates unique constraint "orders_pk"';
  const task = { ...failed, error: { code: -32000, message: said, data: { said } }, history: [said] };
  const client = await serving(task, { content: [], resultType: 'task', ...task }, 'qaqnuz');
  for (const [method, params] of [
    ['tasks/get', { taskId: ID }],
    ['tools/call', { name: 't', arguments: {} }],
  ] as const) {
    const answer = await client.ask(method, params);
    expect(JSON.stringify(answer)).not.toContain('orders_pk');
    expect(answer.result).toMatchObject({ taskId: ID, status: 'failed', error: { code: -32000 } });
  }
});
