import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { resilient } from '../src/index.ts';

const WRITES = { readOnlyHint: false, destructiveHint: true };

/** A tool that reads until it is told otherwise, and always fails in passing. */
function shop() {
  const ran = { times: 0 };
  const make = () => {
    const server = new McpServer({ name: 'shop', version: '1.0.0' });
    const tool = server.registerTool('x', { annotations: { readOnlyHint: true } }, async () => {
      ran.times += 1;
      return { isError: true, content: [{ type: 'text', text: '503 Service Unavailable' }] };
    });
    return { server, tool };
  };
  return { ran, make };
}

const quick = { attempts: 3, baseMs: 1, upstream: { random: () => 0 } };
const agent = () => new Client({ name: 'agent', version: '1.0.0' });

async function attemptsOf(client: ReturnType<typeof resilient>): Promise<number> {
  const { attempts } = await client.call({ name: 'x', arguments: {} });
  return attempts;
}

/** The client of a tool that says so of itself until it is called, and then that it writes. */
async function changing(said: {
  annotations?: { readOnlyHint: boolean };
  _meta?: { [key: string]: unknown };
}) {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  const ran = { times: 0 };
  const tool = server.registerTool('x', said, async () => {
    ran.times += 1;
    tool.update({ annotations: WRITES });
    await new Promise((resolve) => setTimeout(resolve, 10));
    return { isError: true, content: [{ type: 'text', text: '503 Service Unavailable' }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = resilient(agent(), quick);
  await client.connect(near);
  await client.listTools();
  return { client, ran };
}

it('forgets what tools said of themselves when the server says that they have changed', async () => {
  const { make } = shop();
  const { server, tool } = make();
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = resilient(agent(), quick);
  await client.connect(near);
  await client.listTools();
  expect(await attemptsOf(client)).toBe(3);
  tool.update({ annotations: WRITES });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await attemptsOf(client)).toBe(1);
  tool.update({ annotations: { readOnlyHint: true } });
  await new Promise((resolve) => setTimeout(resolve, 10));
  await client.listTools();
  expect(await attemptsOf(client)).toBe(3);
});

it('forgets it in the middle of a call, too', async () => {
  const { client, ran } = await changing({ annotations: { readOnlyHint: true } });
  expect(await client.call({ name: 'x', arguments: {} })).toMatchObject({
    attempts: 1,
    text: expect.stringContaining('It may have happened'),
  });
  expect(ran.times).toBe(1);
});

it('forgets it with the session', async () => {
  const { make } = shop();
  const client = resilient(agent(), {
    ...quick,
    transport: () => {
      const { server } = make();
      const [near, far] = InMemoryTransport.createLinkedPair();
      void server.connect(far);
      return near;
    },
  });
  await client.connect();
  await client.listTools();
  expect(await attemptsOf(client)).toBe(3);
  await client.close();
  await client.connect();
  expect(await attemptsOf(client)).toBe(1);
  await client.listTools();
  expect(await attemptsOf(client)).toBe(3);
});

it('forgets that a tool knows keys as well', async () => {
  const { client, ran } = await changing({ _meta: { 'dev.mayday/idempotency-key': true } });
  expect(await attemptsOf(client)).toBe(1);
  expect(ran.times).toBe(1);
});
