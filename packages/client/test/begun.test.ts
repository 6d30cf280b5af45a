/** Who has told of its work had begun, whatever it refuses with. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BUSY_RESULT } from './declared.ts';
import { FLAVOURS, plainHttp, plainHttpV1 } from './flavours.ts';
import { answer, scriptedHttp } from './scripted-http.ts';

const REFUSED = { code: -32602, message: 'Invalid params' };
const PROGRESS = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 'p', progress: 1, message: 'card charged' },
};
const LOG = {
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 'card charged' },
};
const QUESTION = {
  jsonrpc: '2.0',
  id: 'q1',
  method: 'elicitation/create',
  params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
};

const SERVER = fileURLToPath(new URL('./scripted-stdio.ts', import.meta.url));

describe.each(FLAVOURS)('$name', ({ name, http, stdio }) => {
  it.each([
    ['nothing', [], 'no'],
    ['progress', [PROGRESS], 'maybe'],
    ['a log', [LOG], 'maybe'],
    ['a question', [QUESTION], 'maybe'],
  ])('over HTTP: after %s', async (_, before, executed) => {
    await using server = await scriptedHttp((heard, response) => {
      const refused = { jsonrpc: '2.0', id: heard.id, error: REFUSED };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end([...before, refused].map((said) => `data: ${JSON.stringify(said)}\n\n`).join(''));
    });
    const client = http(server.url);
    await client.connect();
    const outcome = await client.call({ name: 'write' });
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { kind: 'invalid_arguments', executed } });
    await client.close();
  });

  it.each([
    ['refuses', 'no'],
    ['changed-refuses', 'no'],
    ['resources-refuse', 'maybe'],
    ['cancelled-refuses', 'maybe'],
    ['progress-refuses', 'maybe'],
    ['log-refuses', 'maybe'],
    ['question-refuses', 'maybe'],
  ])('over stdio: %s', async (misbehaviour, executed) => {
    const client = stdio([SERVER, misbehaviour], { deadlineMs: 10_000 });
    await client.connect();
    const outcome = await client.call({ name: 'write' });
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { kind: 'invalid_arguments', executed } });
    await client.close();
  });

  it.each([
    ['nothing', [], 'no'],
    ['a log', [LOG], 'maybe'],
    [
      'a change',
      [{ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'order://7' } }],
      'maybe',
    ],
    ['a notification of its own', [{ jsonrpc: '2.0', method: 'notifications/booked' }], 'maybe'],
  ])('over the SDKs’ own transport: after %s', async (_, before, executed) => {
    await using server = await scriptedHttp((heard, response) => {
      const refused = { jsonrpc: '2.0', id: heard.id, error: REFUSED };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end([...before, refused].map((said) => `data: ${JSON.stringify(said)}\n\n`).join(''));
    });
    const client = name === 'SDK v1' ? plainHttpV1(server.url) : plainHttp(server.url);
    await client.connect();
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: false, fault: { executed } });
    await client.close();
  });

  it.each([
    ['declares', 3, 'no'],
    ['log-declares', 1, 'maybe'],
  ])('over stdio, in a result: %s', async (misbehaviour, attempts, executed) => {
    const client = stdio([SERVER, misbehaviour], { deadlineMs: 10_000, throttledBaseMs: 1 });
    await client.connect();
    const outcome = await client.call({ name: 'write' });
    expect(outcome).toMatchObject({ ok: false, attempts, fault: { kind: 'overloaded', executed } });
    await client.close();
  });

  it.each([
    ['nothing', [], 'no'],
    ['a log', [LOG], 'maybe'],
  ])('over HTTP, in a result: after %s', async (_, before, executed) => {
    await using server = await scriptedHttp((heard, response) => {
      const declared = { jsonrpc: '2.0', id: heard.id, result: BUSY_RESULT };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end([...before, declared].map((said) => `data: ${JSON.stringify(said)}\n\n`).join(''));
    });
    const client = http(server.url, { attempts: 1 });
    await client.connect();
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: false, fault: { executed } });
    await client.close();
  });

  it('keeps a result that comes with an error', async () => {
    await using server = await scriptedHttp((heard, response) => {
      const result = { content: [{ type: 'text', text: 'paid, receipt 991' }] };
      answer(response, { jsonrpc: '2.0', id: heard.id, result, error: REFUSED });
    });
    const client = http(server.url);
    await client.connect();
    const outcome = await client.call({ name: 'write' });
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { executed: 'maybe' } });
    expect(outcome.ok ? '' : outcome.text).toContain('paid, receipt 991');
    await client.close();
  });
});
