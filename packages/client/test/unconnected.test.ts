/** Calls of a client that nobody has connected. */
import { Client } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { resilient } from '../src/index.ts';
import { resilient as resilientV1 } from '../src/v1.ts';
import { FLAVOURS, type Tested } from './flavours.ts';
import { scriptedHttp, succeed } from './scripted-http.ts';

describe.each(FLAVOURS)('$name', ({ http }) => {
  it('connects by itself, where it can make a transport', async () => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response));
    const client = http(server.url);
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: true, attempts: 1 });
    await client.close();
    const listing = http(server.url);
    expect(await listing.listTools()).not.toEqual({ tools: [] });
    await listing.close();
    expect(server.heard.filter(({ method }) => method === 'initialize').length).toBeLessThanOrEqual(2);
  });

  it('connects once for calls that are made at once', async () => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response));
    const client = http(server.url);
    const done = await Promise.all([1, 2, 3].map(() => client.call({ name: 'write' })));
    expect(done.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(server.heard.filter(({ method }) => method === 'initialize')).toHaveLength(1);
    await client.close();
  });

  it('tells of circuits and of the end of a session that a call has opened', async () => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response));
    const types: string[] = [];
    const client = http(server.url, { onEvent: ({ type }) => void types.push(type) });
    await client.call({ name: 'write' });
    await client.close();
    expect(types).toContain('session');
  });

  it('stays closed', async () => {
    await using server = await scriptedHttp((heard, response) => succeed(heard, response));
    const client = http(server.url);
    await client.connect();
    await client.close();
    expect(await client.call({ name: 'write' })).toMatchObject({
      ok: false,
      fault: { kind: 'disconnected', executed: 'no', advice: 'Call `connect()` on the client first.' },
    });
    expect(server.calls('write')).toBe(0);
  });
});

it.each([
  ['SDK v2', () => resilient(new Client({ name: 'c', version: '1' }))],
  ['SDK v1', () => resilientV1(new ClientV1({ name: 'c', version: '1' }))],
])('without a transport says what is missing, %s', async (_, made) => {
  expect(await made().call({ name: 'write' })).toMatchObject({
    ok: false,
    attempts: 1,
    fault: {
      kind: 'disconnected',
      executed: 'no',
      message: 'Not connected',
      advice: 'Call `connect()` on the client first.',
    },
  });
});

const MISTAKE = { kind: 'misconfigured', executed: 'no', origin: 'local', retryable: false };

it.each([
  ['SDK v2', (transport: () => never) => resilient(new Client({ name: 'c', version: '1' }), { transport })],
  [
    'SDK v1',
    (transport: () => never) => resilientV1(new ClientV1({ name: 'c', version: '1' }), { transport }),
  ],
])('a transport function that throws is a mistake of the client’s own, %s', async (_, made) => {
  for (const error of [new Error('503 Service Unavailable: token abc'), new TypeError('x is undefined')]) {
    let asked = 0;
    const client = made(() => {
      asked += 1;
      throw error;
    }) as unknown as Tested;
    const outcome = await client.call({ name: 'write' });
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 1,
      fault: {
        ...MISTAKE,
        message: 'Not connected: the `transport` function of the client threw an error',
      },
    });
    expect(JSON.stringify(outcome)).not.toContain('token');
    await expect(client.connect()).rejects.toMatchObject({ fault: MISTAKE });
    await expect(client.listTools()).rejects.toMatchObject({ fault: MISTAKE });
    expect(asked).toBe(3);
  }
});
