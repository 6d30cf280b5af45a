/** Whoever called has waited for the whole call, not for what was left of it for the last attempt. */
import { setTimeout as wait } from 'node:timers/promises';
import { makeFault, toDocument } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { FLAVOURS } from './flavours.ts';
import { answer, type Script, scriptedHttp } from './scripted-http.ts';

const LONG = { deadlineMs: 3000, attempts: 2 };

/** Says the same each time: at once, and to the last attempt right before the deadline. */
const saying =
  (message: string): Script =>
  async (heard, response, count) => {
    const details = { timeout_ms: 64 };
    const fault = makeFault({ kind: 'timeout', origin: 'server', executed: 'maybe', message, details });
    const content = [{ type: 'text', text: message }];
    const result = { isError: true, content, _meta: { 'dev.mayday/fault': toDocument(fault) } };
    if (count > 1) await wait(2720);
    answer(response, { jsonrpc: '2.0', id: heard.id, result });
  };

describe.each(FLAVOURS)('$name', ({ http }) => {
  async function told(message: string, method: 'call' | 'callTool' = 'call'): Promise<unknown> {
    await using server = await scriptedHttp(saying(message));
    const client = http(server.url, LONG);
    await client.connect();
    await client.listTools();
    const outcome = await client[method]({ name: 'read' });
    await client.close();
    return outcome;
  }

  it.concurrent('tells the time of the whole call where its server cut the last attempt off', async () => {
    expect(await told('No answer within 64 ms')).toMatchObject({
      ok: false,
      attempts: 2,
      fault: {
        kind: 'timeout',
        executed: 'maybe',
        message: 'No answer within 3000 ms: the deadline of the call has passed',
        details: { timeout_ms: 3000 },
      },
      text: expect.stringMatching(/^No answer within 3000 ms: the deadline of the call has passed\./),
    });
  });

  it.concurrent('tells it in a result for a model too', async () => {
    const text = expect.stringMatching(/^No answer within 3000 ms: the deadline of the call has passed\./);
    expect(await told('No answer within 64 ms', 'callTool')).toMatchObject({
      isError: true,
      content: [{ type: 'text', text }],
    });
  });

  it.concurrent('leaves a tool its own words about time', async () => {
    const words = 'The printer gave no answer within 64 ms';
    expect(await told(words)).toMatchObject({ fault: { message: words } });
  });
});
