/** The admin API under attack: races, followers that vanish or never read, headers that say two things, and its end. */
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ANN, admin, failed, follow, fresh, made, OPS, refusal } from '../support/admin.ts';
import { keepHouse } from '../support/admin-house.ts';
import { send } from '../support/http.ts';
import { mayday, pause } from '../support/policy.ts';
import { firstWords } from '../support/raw.ts';

const { gateway } = keepHouse((url) => ({
  admin: { requests_per_minute: 100_000 },
  upstreams: { u: { url: url, retry: { attempts: 1 }, breaker: false } },
}));

const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));

/** The head of a request for the keys, with these lines in it. */
function head(lines: readonly string[], first = 'GET /-/admin/v1/keys'): string {
  const host = `host: 127.0.0.1:${gateway().port}`;
  return [`${first} HTTP/1.1`, host, 'connection: close', ...lines, '', ''].join('\r\n');
}

/** Opens a stream on a socket that nobody reads. */
function unread(): Socket {
  const socket = connect(gateway().port, '127.0.0.1').on('error', () => undefined);
  socket.pause().write(head([`authorization: Bearer ${OPS}`], 'GET /-/admin/v1/faults/stream?after=0'));
  return socket;
}

describe('at the same time', () => {
  it('a key is exchanged and revoked: no secret of it is good afterwards', async () => {
    const { key, id } = await made(gateway(), { name: fresh('race'), role: 'operator' });
    const rotate = (): Promise<{ body: Record<string, unknown> }> =>
      admin(gateway(), `/keys/${id}/rotate`, {});
    const [before, revoked, after] = await Promise.all([
      times(5, rotate),
      refusal(gateway(), `/keys/${id}/revoke`, {}),
      times(5, rotate),
    ]);
    expect(revoked).toBe('200 fine');
    const secrets = [key, ...[...before, ...after].map(({ body }) => body['key'] ?? key)].map(String);
    const doors = (): Promise<string[]> =>
      Promise.all(secrets.map((each) => refusal(gateway(), '/status', undefined, { key: each })));
    await expect.poll(doors, { timeout: 8000 }).toEqual(secrets.map(() => '401 unauthenticated'));
  });

  it('an operator is revoked and goes on: nothing is made two seconds later', async () => {
    const { key, id } = await made(gateway(), { name: fresh('busy'), role: 'operator' });
    const make = (): Promise<string> => refusal(gateway(), '/keys', { name: fresh('by-busy') }, { key });
    expect(await make()).toBe('201 fine');
    const [, revoked] = await Promise.all([times(10, make), refusal(gateway(), `/keys/${id}/revoke`, {})]);
    expect(revoked).toBe('200 fine');
    await pause(2500);
    expect(await times(5, make)).toEqual(Array.from({ length: 5 }, () => '401 unauthenticated'));
    expect((await admin(gateway(), '/audit/verify')).body['ok']).toBe(true);
  });
});

describe('followers', () => {
  it('that vanish leave room for others', async () => {
    for (let round = 0; round < 5; round += 1) {
      const sockets = Array.from({ length: 30 }, unread);
      await pause(30);
      for (const [index, socket] of sockets.entries())
        index % 2 === 0 ? socket.destroy() : socket.resetAndDestroy();
    }
    const opened = async (): Promise<number[]> => {
      const streams = await times(32, () => follow(gateway()));
      for (const stream of streams) stream.leave();
      return streams.map(({ status }) => status);
    };
    await expect
      .poll(opened, { timeout: 15_000, interval: 1000 })
      .toEqual(Array.from({ length: 32 }, () => 200));
  });

  it('that never read hold nobody up', async () => {
    await pause(1500);
    const sockets = Array.from({ length: 20 }, unread);
    await times(40, () => failed(gateway(), `It failed: ${'lorem ipsum '.repeat(150)}`));
    expect(await refusal(gateway(), '/status')).toBe('200 fine');
    const stream = await follow(gateway());
    await failed(gateway(), 'The bridge is up');
    await expect.poll(stream.text, { timeout: 10_000 }).toContain('The bridge is up');
    stream.leave();
    for (const socket of sockets) socket.destroy();
  });
});

describe('headers that say two things', () => {
  const good = `authorization: Bearer ${OPS}`;
  it.each([
    ['two keys, the good one last', [`authorization: Bearer ${ANN}`, good], 401],
    ['two keys, the good one first', [good, 'authorization: Bearer nobody'], 401],
    ['two origins', [good, 'origin: https://evil.example', 'origin: null'], 403],
    ['two hosts', [good, 'host: evil.example'], 400],
    ['two sites', [good, 'sec-fetch-site: same-origin', 'sec-fetch-site: cross-site'], 403],
    ['another address', ['x-original-url: /-/health', 'x-rewrite-url: /-/health'], 401],
    ['an upgrade', ['upgrade: h2c'], 401],
  ])('%s', async (_, lines, status) => {
    expect((await firstWords(gateway().port, head(lines), 8000)).split(' ')[1]).toBe(String(status));
  });

  it('an address with another host in it', async () => {
    const answer = await firstWords(
      gateway().port,
      head([good], 'GET http://evil.example/-/admin/v1/keys'),
      8000,
    );
    expect(answer.split(' ')[1]).toBe('403');
  });
});

describe('what others wrote', () => {
  it('does not reach the terminal of the operator, nor make lines of the log', async () => {
    await failed(gateway(), 'A \u001b]0;title\u0007 and \u001b[31mred\u001b[0m harbour');
    const log = await firstWords(gateway().port, head([], 'GET /-/admin/v1/keys%0a%1b[31mforged'), 8000);
    expect(log.split(' ')[1]).toBe('401');
    const said = async (): Promise<string> => (await mayday(gateway().folder, 'faults')).out;
    await expect.poll(said, { timeout: 20_000 }).toContain('harbour');
    expect(await said()).not.toContain('\u001b');
    expect(gateway().log()).not.toMatch(/^.?\[31mforged/m);
    expect(gateway().log()).not.toContain('\u001b');
  });
});

describe('many requests', () => {
  it('are all answered, and callers beside them', async () => {
    let [asked, statuses] = [0, new Set<number>()];
    await times(8, async () => {
      while (asked < 600) {
        asked += 1;
        statuses.add((await admin(gateway(), asked % 3 === 0 ? '/keys' : '/status')).status);
      }
    });
    expect([...statuses]).toEqual([200]);
    expect((await send(`${gateway().url}/-/health`, undefined)).status).toBe(200);
  });
});

describe('a gateway that stops', () => {
  it('ends its streams', async () => {
    const stream = await follow(gateway());
    expect([stream.status, stream.ended()]).toEqual([200, false]);
    process.kill(gateway().pid, 'SIGTERM');
    await expect.poll(stream.ended, { timeout: 5000 }).toBe(true);
    expect(await gateway().gone).toBe(0);
  });
});
