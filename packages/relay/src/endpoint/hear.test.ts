import { expect, it } from 'vitest';
import { encode } from '../framing/json.ts';
import type { SaidMessage, WireCall } from './call.ts';
import { createHear } from './hear.ts';

const call = {} as WireCall;
const failing = (id: number | string, text: string, more = {}): Buffer =>
  encode({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }], isError: true, ...more } });

function listener(): (bytes: Buffer) => { readonly said: SaidMessage; readonly heard: object } {
  const hear = createHear();
  return (bytes) => {
    const message = hear.failureIn(bytes);
    expect(message).toBeDefined();
    const said: SaidMessage = { type: 'message', message, bytes, status: 200 };
    return { said, heard: hear.understand(call, said) };
  };
}

it('hears the same failure in answers that differ by their id', () => {
  const hear = listener();
  const heard = [1, 'two', 3, 4].map((id) => hear(failing(id, 'Order A-17 was not found')).heard);
  expect(heard[1]).toEqual(heard[0]);
  expect(heard[2]).toBe(heard[1]);
  expect(heard[3]).toBe(heard[1]);
  expect(heard[0]).toMatchObject({ fault: { kind: 'not_found', message: 'Order A-17 was not found' } });
});

it('does not take one failure for another', () => {
  const hear = listener();
  const texts = ['Order A-17 was not found', 'Order A-18 was not found', 'Too many requests'];
  for (let round = 0; round < 4; round++) {
    const said = texts.map((text) => (hear(failing(round, text)).heard as { fault: object }).fault);
    expect(said).toMatchObject([
      { kind: 'not_found', message: texts[0] },
      { kind: 'not_found', message: texts[1] },
      { kind: 'rate_limited', message: texts[2] },
    ]);
  }
});

it('looks at the id of the answer alone', () => {
  const hear = listener();
  const ids = [5, 5, 5, 6].map((id) => {
    const { said } = hear(failing(id, 'Order not found', { structuredContent: { id } }));
    return (said.message as { result: { structuredContent: { id: number } } }).result.structuredContent.id;
  });
  expect(ids).toEqual([5, 5, 5, 6]);
});

it('reads a wait anew each time: it may have been counted from now', () => {
  const hear = listener();
  const waits = [1, 2, 3].map((id) => hear(failing(id, 'Too many requests. Try again in 30 seconds.')).heard);
  expect(waits[2]).not.toBe(waits[1]);
  expect(waits[2]).toMatchObject({ fault: { kind: 'rate_limited', retry: { afterMs: 30_000 } } });
});

it('forgets in the end: what never repeats takes no room', () => {
  const hear = listener();
  for (let i = 0; i < 5000; i++) hear(failing(i, `Order A-${i} was not found`));
  const { heard } = hear(failing(1, 'Order A-1 was not found'));
  expect(heard).toMatchObject({ fault: { kind: 'not_found', message: 'Order A-1 was not found' } });
});

it('does not take what was said about a prompt for what was said about a tool of that name', () => {
  const hear = createHear();
  const fault = {
    kind: 'rate_limited',
    reaction: 'retryable',
    retryable: true,
    retry: { when: 'after_wait' },
    executed: 'no',
    origin: 'gateway',
    message: 'x',
    subject: { type: 'tool', id: 'other' },
  };
  const executed = ['prompts/get', 'prompts/get', 'tools/call', 'prompts/get'].map((method, id) => {
    const bytes = failing(id, 'x', { _meta: { 'dev.mayday/fault': fault } });
    const said: SaidMessage = { type: 'message', message: hear.failureIn(bytes), bytes, status: 200 };
    return hear.understand({ method, target: 'pay' } as WireCall, said).fault.executed;
  });
  expect(executed).toEqual(['no', 'no', 'maybe', 'no']);
});

it.each([
  ['once', '"data":{"retry_after":1}', 'no'],
  ['twice', '"data":{"payment":"pay_991"},"data":{"retry_after":1}', 'maybe'],
])('knows what a refusal proves that names a member %s', (_, data, executed) => {
  const hear = createHear({ from: 'erlmcp' });
  const bytes = Buffer.from(
    `{"jsonrpc":"2.0","id":1,"error":{"code":-32010,"message":"Rate limit exceeded",${data}}}`,
  );
  const message = hear.failureIn(bytes);
  const heard = hear.understand(call, { type: 'message', message, bytes, status: 200 });
  expect(heard.fault.executed).toBe(executed);
});

it('knows what a refusal proves by the head that it came under, each time', () => {
  const hear = createHear({ from: 'erlmcp' });
  const executed = [
    { status: 200, headers: { 'content-type': 'application/json' } },
    { status: 200, headers: { location: '/orders/7' } },
    { status: 200, headers: { 'x-order-id': '7' } },
    { status: 201, headers: {} },
    { status: 200, headers: { date: 'Tue, 17 Nov 2026 10:00:00 GMT' } },
  ].map((head, id) => {
    const bytes = encode({ jsonrpc: '2.0', id, error: { code: -32010, message: 'Rate limit exceeded' } });
    const under = { ...head, statusText: head.status === 200 ? 'OK' : 'Created' };
    const said: SaidMessage = {
      type: 'message',
      message: hear.failureIn(bytes),
      bytes,
      status: head.status,
      head: under,
    };
    return hear.understand(call, said).fault.executed;
  });
  expect(executed).toEqual(['no', 'maybe', 'maybe', 'maybe', 'no']);
});
