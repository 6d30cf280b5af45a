/** A declaration that nothing was done is believed while it stands alone: what HTTP says around it counts as well. */
import { describe, expect, it } from 'vitest';
import { busyError } from './declared.ts';
import { FLAVOURS } from './flavours.ts';
import { type Script, scriptedHttp } from './scripted-http.ts';

const STATUSES = [200, 429, 503];

describe.each(FLAVOURS)('$name', ({ http }) => {
  async function runs(script: Script): Promise<readonly [number, unknown]> {
    await using server = await scriptedHttp(script);
    const client = http(server.url, { throttledBaseMs: 1 });
    await client.connect();
    const outcome = await client.call({ name: 'write' });
    await client.close();
    return [server.calls('write'), outcome.ok || outcome.fault.executed];
  }

  const refusing =
    (status: number, reason: string | undefined, headers: object, version = '2.0'): Script =>
    (heard, response) => {
      const said = { 'content-type': 'application/json', ...headers };
      if (reason === undefined) response.writeHead(status, said);
      else response.writeHead(status, reason, said);
      response.end(JSON.stringify(busyError(heard.id, version)));
    };

  it.each(STATUSES)('under %i, alone', async (status) => {
    const usual = { 'retry-after': '0', 'x-request-id': '8f3a', date: 'Thu, 19 Nov 2026 10:12:32 GMT' };
    expect(await runs(refusing(status, undefined, usual))).toEqual([3, 'no']);
  });

  it.each(STATUSES)('under %i, with headers that tell of work', async (status) => {
    for (const headers of [
      { location: '/orders/41' },
      { 'x-booking-id': '41' },
      { 'set-cookie': 'receipt=41' },
      { 'x-result': 'created' },
      { 'server-timing': 'commit;dur=3' },
      { link: '</orders/41>; rel="item"' },
      { trailer: 'X-Order-Id' },
    ])
      expect([headers, await runs(refusing(status, undefined, headers))]).toEqual([headers, [1, 'maybe']]);
  });

  it.each(STATUSES)('under %i, with other words in the status line', async (status) => {
    for (const reason of ['Order 41 Created', 'Created', 'Order-41'])
      expect([reason, await runs(refusing(status, reason, {}))]).toEqual([reason, [1, 'maybe']]);
  });

  it.each(STATUSES)('under %i, in another version of JSON-RPC', async (status) => {
    expect(await runs(refusing(status, undefined, {}, '1.0'))).toEqual([1, 'maybe']);
  });

  const saying =
    (status: number, before: string, behind: object = {}): Script =>
    (heard, response) => {
      response.socket?.write(before);
      response.writeHead(status, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
      response.addTrailers({ ...behind });
      response.end(JSON.stringify(busyError(heard.id)));
    };

  it.each(STATUSES)('under %i, behind a head that only announces it, or before a trailer', async (status) => {
    for (const [before, behind] of [
      ['HTTP/1.1 102 Processing\r\n\r\n'],
      ['HTTP/1.1 103 Early Hints\r\nLocation: /orders/41\r\n\r\n'],
      ['HTTP/1.1 103 Order 41 Created\r\n\r\n'],
      ['HTTP/1.1 103 Early Hints\r\nX-Order-Id: 41\r\n\r\n'],
      ['', { 'X-Order-Id': '41' }],
    ] as const)
      expect([before, await runs(saying(status, before, behind))]).toEqual([before, [1, 'maybe']]);
    const preload = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n';
    expect(await runs(saying(status, preload, { 'Server-Timing': 'total;dur=3' }))).toEqual([3, 'no']);
  });

  it.each(STATUSES)('under %i, cut off', async (status) => {
    const cut: Script = (heard, response) => {
      const said = JSON.stringify(busyError(heard.id));
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': said.length + 9 });
      response.write(said, () => response.destroy());
    };
    expect(await runs(cut)).toEqual([1, 'maybe']);
  });
});
