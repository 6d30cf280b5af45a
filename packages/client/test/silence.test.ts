/** Streams that open and stay silent. */
import { describe, expect, it } from 'vitest';
import { FLAVOURS } from './flavours.ts';
import { type Script, scriptedHttp, succeed } from './scripted-http.ts';

describe.each(FLAVOURS)('$name', ({ http }) => {
  const silent =
    (closed: (() => void)[], first = ''): Script =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(first === '' ? ': hello\n\n' : first);
      response.on('close', () => closed.shift()?.());
    };

  it.each([
    ['says nothing', ''],
    ['has an id, so that it could be resumed', 'id: 1\ndata: \n\n'],
  ])('gives up a stream that %s, at the deadline, and lets go of the connection', async (_, first) => {
    const closed: (() => void)[] = [];
    const gone = new Promise<void>((resolve) => closed.push(resolve));
    await using server = await scriptedHttp(silent(closed, first));
    const client = http(server.url);
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name: 'write' }, { deadlineMs: 200 });
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { kind: 'timeout', executed: 'maybe' } });
    expect(outcome.elapsedMs).toBeLessThan(2000);
    await gone;
    await client.close();
  });

  it('tries a read again on another stream within the deadline', async () => {
    const closed: (() => void)[] = [];
    await using server = await scriptedHttp((heard, response, count) => {
      if (count === 1) silent(closed)(heard, response, count);
      else succeed(heard, response);
    });
    const client = http(server.url, { deadlineMs: 5000, attemptTimeoutMs: 100 });
    await client.connect();
    await client.listTools();
    expect(await client.call({ name: 'read' })).toMatchObject({ ok: true, attempts: 2 });
    await client.close();
  });
});
