import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { httpTransport, type ResilientOptions, resilient } from '../src/index.ts';
import { answer, scriptedHttp, succeed } from './scripted-http.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));
beforeEach(() => {
  unhandled.length = 0;
});

async function rejecting(): Promise<void> {
  throw new Error('hook');
}
function throwing(): void {
  throw new Error('hook');
}

/** A write that a door refuses once. */
async function callWith(options: object): Promise<unknown> {
  await using server = await scriptedHttp((one, response, count) => {
    if (count === 1) answer(response, 'busy', 429, { 'retry-after': '0' });
    else succeed(one, response);
  });
  const client = resilient(new Client({ name: 'agent', version: '1.0.0' }), {
    transport: () => httpTransport(server.url),
    upstream: { random: () => 0 },
    ...(options as ResilientOptions<never>),
  } as never);
  await client.connect();
  const outcome = await client.call({ name: 'write' });
  await client.close();
  await new Promise((resolve) => setTimeout(resolve, 5));
  return outcome;
}

const BROKEN: readonly (readonly [string, object])[] = [
  ['onFault that rejects', { onFault: rejecting }],
  ['onFault that throws', { onFault: throwing }],
  ['onEvent that rejects', { onEvent: rejecting }],
  ['telemetry.start that throws', { telemetry: { start: throwing, listen: throwing } }],
  ['telemetry.start that rejects', { telemetry: { start: rejecting, listen: rejecting } }],
  ['telemetry.start that gives nothing', { telemetry: { start: () => null, listen: () => undefined } }],
  [
    'telemetry of a call that throws',
    { telemetry: { start: () => ({ meta: throwing, listen: rejecting }), listen: rejecting } },
  ],
];

it.each(BROKEN)('%s does not disturb the call', async (_, options) => {
  expect(await callWith(options)).toMatchObject({ ok: true, attempts: 2 });
  expect(unhandled).toEqual([]);
});

it('takes no promise for an answer of retryIf', async () => {
  expect(await callWith({ retryIf: rejecting })).toMatchObject({
    ok: false,
    attempts: 1,
    reason: 'Not tried again: retryIf gave a promise instead of true, false or undefined',
  });
  expect(unhandled).toEqual([]);
});

it.each([
  ['retryIf', { retryIf: (fault: object, call: object) => scribble({ fault, call }) }],
  ['onFault', { onFault: scribble }],
  ['onEvent', { onEvent: scribble }],
  [
    'telemetry',
    {
      telemetry: {
        start: (call: object) => ({ listen: scribble, meta: () => scribble({ call }) ?? {} }),
        listen: scribble,
      },
    },
  ],
])('%s that writes on what it is handed makes no write safe', async (_, options) => {
  await using server = await scriptedHttp((_one, response) => answer(response, '', 503));
  const client = resilient(new Client({ name: 'agent', version: '1.0.0' }), {
    transport: () => httpTransport(server.url),
    upstream: { random: () => 0 },
    ...(options as ResilientOptions<never>),
  } as never);
  await client.connect();
  const outcome = await client.call({ name: 'write' });
  expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
  expect(server.calls('write')).toBe(1);
  await client.close();
});

/** Writes on all parts of an event that a decision could look at. */
function scribble(event: { fault?: object; call?: object; plan?: object }): undefined {
  const { fault = {}, call = {}, plan = {} } = event;
  Object.assign(fault, { executed: 'no', retryable: true });
  Object.assign(call, { readOnly: true, repeatable: true });
  Object.assign((call as { progress?: object }).progress ?? {}, { executed: 'no', began: false });
  Object.assign(plan, { retry: true, safe: true });
}
