/** What a status of HTTP means, whichever transport has met it: ours, or the SDKs' own, which throw in words of theirs. */
import { describe, expect, it } from 'vitest';
import { FLAVOURS, plainHttp, plainHttpV1 } from './flavours.ts';
import { answer, scriptedHttp, succeed } from './scripted-http.ts';

const TRANSPORTS = [
  ...FLAVOURS.map(({ name, http }) => [`${name}, httpTransport`, http] as const),
  ['SDK v2, its own transport', plainHttp],
  ['SDK v1, its own transport', plainHttpV1],
] as const;

const UNREADABLE = /could not be read|cannot be read/i;

describe.each(TRANSPORTS)('%s', (_, http) => {
  /** Calls a tool of a server that answers so, each time or the first time. */
  async function called(tool: string, status: number, body: string, headers: object, isOnce = false) {
    await using server = await scriptedHttp((heard, response, count) => {
      if (isOnce && count > 1) succeed(heard, response);
      else answer(response, body, status, headers);
    });
    const client = http(server.url, { baseMs: 1, upstream: { breaker: false, random: () => 0 } });
    await client.connect();
    await client.listTools();
    const outcome = await client.call({ name: tool });
    await client.close();
    return { outcome, calls: server.calls(tool) };
  }

  it.each([
    [401, '', {}, 'unauthenticated'],
    [401, '', { 'www-authenticate': 'Bearer' }, 'unauthenticated'],
    [401, 'Unauthorized', { 'content-type': 'text/plain' }, 'unauthenticated'],
    [
      401,
      '{"error":"Unauthorized"}',
      { 'www-authenticate': 'Bearer error="invalid_token"' },
      'unauthenticated',
    ],
    [403, '', {}, 'forbidden'],
    [403, 'Forbidden: you lack the role editor', { 'content-type': 'text/plain' }, 'forbidden'],
    [404, '', {}, 'unavailable'],
    [429, '', {}, 'rate_limited'],
    [429, 'Too Many Requests', { 'content-type': 'text/plain', 'retry-after': '0' }, 'rate_limited'],
    [500, '', {}, 'internal'],
    [502, 'Bad gateway', { 'content-type': 'text/html' }, 'upstream_failed'],
    [503, '', {}, 'unavailable'],
    [503, 'Service Unavailable', { 'content-type': 'text/plain' }, 'unavailable'],
  ])('a write that meets %i %j %j', async (status, body, headers, kind) => {
    const { outcome } = await called('write', status, body, headers);
    expect(outcome).toMatchObject({ ok: false, fault: { kind } });
    expect(JSON.stringify(outcome)).not.toMatch(UNREADABLE);
  });

  it.each([
    [429, 'Too Many Requests', { 'retry-after': '0' }],
    [502, 'Bad gateway', {}],
    [503, '', {}],
  ])('a read that has met %i is repeated', async (status, body, headers) => {
    const { outcome, calls } = await called('read', status, body, headers, true);
    expect(outcome).toMatchObject({ ok: true, attempts: 2 });
    expect(calls).toBe(2);
  });

  it.each([401, 403])('a read that has met %i is not', async (status) => {
    const { outcome, calls } = await called('read', status, '', {}, true);
    expect(outcome).toMatchObject({ ok: false, attempts: 1 });
    expect(calls).toBe(1);
  });
});
