/** A step that a caller has left out: the text says to take it, and programs that branch on the fault read the same. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, idIn, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const SAID = 'Browser not initialized. Call browser_open first.';
const STEP = 'A step before it is missing; take that first, then call again.';
const FIX = {
  kind: 'not_ready',
  reaction: 'validation',
  retryable: false,
  retry: { when: 'after_change' },
  executed: 'maybe',
};

it('is one thing in the text and in the fault, and is not repeated', async () => {
  const { url, seen } = await upstream((body, response) => {
    const result = { isError: true, content: [{ type: 'text', text: SAID }] };
    json(response, 200, { jsonrpc: '2.0', id: idIn(body), result });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const { message } = await post(
    `${gateway.url}/a/mcp`,
    call('tools/call', { name: 'click', arguments: {} }),
  );
  expect(message.result?.['content']).toEqual([
    { type: 'text', text: expect.stringMatching(`^${SAID} ${STEP}`) },
  ]);
  expect(message.result?._meta?.['dev.mayday/fault']).toMatchObject(FIX);
  expect(seen.filter(({ body }) => body.includes('tools/call'))).toHaveLength(1);
});

it('is so too where a server says it as an error', async () => {
  const { url } = await upstream((body, response) => {
    const error = { code: -32000, message: 'Bad Request: Server not initialized' };
    json(response, 400, { jsonrpc: '2.0', id: idIn(body), error });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const { message } = await post(
    `${gateway.url}/a/mcp`,
    call('tools/call', { name: 'click', arguments: {} }),
  );
  const { executed: _either, ...fix } = FIX;
  const told = message.error?.data ?? message.result?._meta?.['dev.mayday/fault'];
  expect(told).toMatchObject(fix);
});
