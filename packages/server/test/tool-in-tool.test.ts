/** A tool that calls another one of its server: what that one says of itself is nothing about the call around it. */
import { fault } from '@mayday/core';
import * as v1 from '@mayday/server/v1';
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { createMemoryIdempotency, type GuardOptions, guard } from '../src/index.ts';
import { LEAK, SECRET } from './fixture.ts';
import { askV1 } from './v1-fixture.ts';
import { connectRaw } from './wire.ts';

type Handler = (args: object, context: unknown) => Promise<unknown>;
type Handle = { readonly handler: Handler; readonly executor?: Handler };
type Step = (mail: Handle, context: unknown, low: unknown) => Promise<unknown>;

const busy = async () => {
  throw fault.rateLimited('The mail service is busy', { executed: 'no' });
};

/** Through the SDK's own handler, as middleware does it. */
const asRequest: Step = (_, context, low) => {
  type Handlers = Map<string, (request: object, context: unknown) => Promise<unknown>>;
  const handlers = (low as { _requestHandlers: Handlers })._requestHandlers;
  const request = { jsonrpc: '2.0', id: 99, method: 'tools/call', params: { name: 'mail', arguments: {} } };
  return handlers.get('tools/call')?.(request, context) as Promise<unknown>;
};

const pay2 = async (step: Step, mailing: () => unknown = busy, options?: GuardOptions, meta?: object) => {
  const server = guard(new McpServer({ name: 's', version: '1' }), options);
  const mail = server.registerTool('mail', { inputSchema: z.object({}) }, mailing as never);
  server.registerTool('pay', { inputSchema: z.object({}) }, (async (_: object, context: unknown) =>
    step(mail as never, context, server.server)) as never);
  const params = { name: 'pay', arguments: {}, ...(meta && { _meta: meta }) };
  return (await connectRaw(server as never)).ask('tools/call', params);
};

const pay1 = async (step: Step) => {
  const server = v1.guard(new McpServerV1({ name: 's', version: '1' }));
  const mail = server.registerTool('mail', { inputSchema: {} }, busy);
  server.registerTool('pay', { inputSchema: {} }, (async (_: object, context: unknown) =>
    step(mail as never, context, server.server)) as never);
  return askV1(server, 'tools/call', { name: 'pay', arguments: {} });
};

it.each<readonly [string, Step]>([
  ['its handler', (mail, context) => mail.handler({}, context)],
  ['its handler, and no context', (mail) => mail.handler({}, undefined)],
  [
    'its handler, caught and thrown on',
    (mail, context) => mail.handler({}, context).catch((e) => Promise.reject(e)),
  ],
  ['the handler of the SDK', asRequest],
])('says `maybe` where the other was called by %s', async (_, step) => {
  const told = { 'dev.mayday/fault': { kind: 'rate_limited', executed: 'maybe' } };
  expect((await pay2(step)).result?.['_meta']).toMatchObject(told);
  expect((await pay1(step))?.result?.['_meta']).toMatchObject(told);
});

it('says `maybe` where it was called by what v2 calls its executor', async () => {
  const { result } = await pay2((mail, context) => mail.executor?.({}, context) as Promise<unknown>);
  expect(result?.['_meta']).toMatchObject({ 'dev.mayday/fault': { executed: 'maybe' } });
});

it('ends no later step of a tool that goes on after the failure of another, nor does it begin one', async () => {
  let booked = 0;
  const { result } = await pay2(async (mail, context) => {
    await mail.handler({}, context);
    booked += 1;
    return { content: [] };
  });
  expect([booked, result?.['isError']]).toEqual([0, true]);
  const caught = await pay2(async (mail, context) => {
    await mail.handler({}, context).catch(() => undefined);
    return { content: [{ type: 'text', text: 'paid, no mail' }] };
  });
  expect(caught.result).toEqual({ content: [{ type: 'text', text: 'paid, no mail' }] });
});

it('keeps its own words about it', async () => {
  const { result } = await pay2(async (mail, context) => {
    await mail.handler({}, context).catch(() => undefined);
    return { isError: true, content: [{ type: 'text', text: 'Booked; the mail is for you to send' }] };
  });
  expect(JSON.stringify(result?.['content'])).toContain('Booked; the mail is for you to send');
});

it('keeps back what another one threw, by whatever way it came', async () => {
  const leaking = async () => {
    throw new Error(LEAK);
  };
  for (const step of [asRequest, (mail: Handle, context: unknown) => mail.handler({}, context)]) {
    const answer = await pay2(step, leaking);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    expect(JSON.stringify(answer)).not.toContain('stage two');
    expect(answer.result?.['_meta']).toMatchObject({ 'dev.mayday/fault': { kind: 'internal' } });
  }
});

it('keeps its place, and its own answer under its key', async () => {
  const over: string[] = [];
  const place = { name: 'place', over: () => void over.push('over') };
  let during = -1;
  const options = { guards: [place], idempotency: { store: createMemoryIdempotency() } };
  const key = { 'dev.mayday/idempotency-key': 'k-1' };
  const sent = () => ({ content: [{ type: 'text', text: 'sent' }] });
  const step: Step = async (mail, context) => {
    await mail.handler({}, context);
    during = over.length;
    return { content: [{ type: 'text', text: 'paid' }] };
  };
  const first = await pay2(step, sent, options, key);
  expect([during, over]).toEqual([0, ['over']]);
  expect(first.result?.['content']).toEqual([{ type: 'text', text: 'paid' }]);
});
