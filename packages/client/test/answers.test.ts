/** Answers in not quite the right form: read at once, and with their own words. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { describe, expect, it } from 'vitest';
import * as v1 from '../src/v1.ts';
import { FLAVOURS } from './flavours.ts';
import { answer, type Script, scriptedHttp } from './scripted-http.ts';

const OK = { content: [{ type: 'text', text: 'paid' }] };

describe.each(FLAVOURS)('$name', ({ http }) => {
  async function call(script: Script, tool = 'write') {
    await using server = await scriptedHttp(script);
    const client = http(server.url, { deadlineMs: 5000 });
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name: tool });
    await client.close();
    expect(outcome.elapsedMs).toBeLessThan(4000);
    return outcome;
  }

  it.each<[string, object]>([
    ['a member more', { jsonrpc: '2.0', result: OK, x: 1 }],
    ['no version', { result: OK }],
    ['an error that is none', { jsonrpc: '2.0', result: OK, error: null }],
  ])('takes a result with %s', async (_, message) => {
    const outcome = await call((heard, response) => answer(response, { ...message, id: heard.id }));
    expect(outcome).toMatchObject({ ok: true, result: OK });
  });

  it('keeps the words of an error that is a text', async () => {
    const error = 'Payment pay_7 booked, mail failed';
    const outcome = await call((heard, response) =>
      answer(response, { jsonrpc: '2.0', id: heard.id, error }),
    );
    expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(outcome.ok ? '' : outcome.text).toContain('pay_7 booked');
  });

  it('takes an answer under any name of its event', async () => {
    const outcome = await call((heard, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const message = JSON.stringify({ jsonrpc: '2.0', id: heard.id, result: OK });
      response.write(`event: result\ndata: ${message}\n\n`);
    });
    expect(outcome).toMatchObject({ ok: true, result: OK });
  });

  it('does not wait for more on a stream that has said null', async () => {
    const outcome = await call((heard, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: heard.id, result: null })}\n\n`);
    });
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'invalid_output', executed: 'maybe' } });
  });

  it('tells what a tool said whose output is not what it promised', async () => {
    const outcome = await call((heard, response) => {
      const result = { content: [{ type: 'text', text: 'Payment pay_7 booked' }], structuredContent: {} };
      answer(response, { jsonrpc: '2.0', id: heard.id, result });
    }, 'typed');
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'invalid_output', executed: 'yes' } });
    expect(outcome.ok ? '' : outcome.text).toContain('Payment pay_7 booked');
  });
});

it('says that nothing was sent where the SDK itself refuses to call', async () => {
  const server = new McpServer({ name: 'tasks', version: '1.0.0' }, { capabilities: { tasks: {} } });
  const execution = { taskSupport: 'required' as const };
  const handler = { createTask: () => undefined, getTask: () => undefined, getTaskResult: () => undefined };
  server.experimental.tasks.registerToolTask('report', { execution }, handler as never);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = v1.resilient(new Client({ name: 'agent', version: '1.0.0' }));
  await client.connect(near);
  await client.listTools();
  const outcome = await client.call({ name: 'report', arguments: {} });
  expect(outcome).toMatchObject({ ok: false, attempts: 0, fault: { kind: 'unsupported', executed: 'no' } });
  await client.close();
});
