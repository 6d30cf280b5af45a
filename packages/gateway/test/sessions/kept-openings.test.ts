/** What a session keeps is small, and counts for its caller for as long as the session lasts. */
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, faultIn, open, post, STDIO_SERVER } from '../tools.ts';

afterEach(cleanUp);

const KIB = 1024;
const ANN = { authorization: 'Bearer key-of-ann' };
const BOB = { authorization: 'Bearer key-of-bob' };
const KEYS = [
  { name: 'ann', key: 'key-of-ann' },
  { name: 'bob', key: 'key-of-bob' },
] as const;
const API = fileURLToPath(new URL('../shop.openapi.yaml', import.meta.url));

/** An opening of about this many bytes. */
function opening(bytes: number): object {
  return call('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { experimental: { x: 'y'.repeat(bytes) } },
    clientInfo: { name: 'c', version: '1' },
  });
}

describe('what is remembered of a session has 64 KiB', () => {
  it.each(['/a/mcp', '/o/mcp', '/u/mcp', '/mcp'])('at %s', async (path) => {
    const gateway = await open({
      upstreams: {
        a: STDIO_SERVER,
        o: { openapi: API, base_url: 'http://127.0.0.1:9' },
        u: { url: 'http://127.0.0.1:9/mcp' },
      },
    });
    const refused = await post(gateway.url + path, opening(64 * KIB));
    expect(refused.headers.get('mcp-session-id')).toBeNull();
    expect(faultIn(refused)).toMatchObject({
      kind: 'too_large',
      executed: 'no',
      message: 'A message of initialize is longer than 64 KiB',
    });
  });

  it.each([
    ['notifications/initialized', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['logging/setLevel', { jsonrpc: '2.0', id: 7, method: 'logging/setLevel' }],
  ])('also of %s', async (method, message) => {
    const gateway = await open({ upstreams: { a: STDIO_SERVER } });
    const url = `${gateway.url}/a/mcp`;
    const opened = await post(url, opening(1));
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const refused = await post(url, { ...message, params: { level: 'x'.repeat(64 * KIB) } }, session);
    expect(faultIn(refused)).toMatchObject({
      kind: 'too_large',
      message: `A message of ${method} is longer than 64 KiB`,
    });
  });
});

it('openings count for their caller: beyond its share, its own session that nobody uses makes room', async () => {
  const gateway = await open({
    keys: KEYS,
    limits: { caller_bytes: 1024 * KIB },
    sessions: { per_caller: 100 },
    upstreams: { o: { openapi: API, base_url: 'http://127.0.0.1:9' } },
  });
  const url = `${gateway.url}/o/mcp`;
  const opened = async (bytes: number, caller: typeof ANN): Promise<string> =>
    (await post(url, opening(bytes), caller)).headers.get('mcp-session-id') ?? 'none';
  const asked = async (session: string, caller: typeof ANN): Promise<number> =>
    (await post(url, call('ping'), { ...caller, 'mcp-session-id': session })).status;
  const ofBob = await opened(60 * KIB, BOB);
  const ofAnn: string[] = [];
  for (let i = 0; i < 8; i++) ofAnn.push(await opened(60 * KIB, ANN));
  const statuses: number[] = [];
  for (const session of ofAnn) statuses.push(await asked(session, ANN));
  // Half of 1 MiB is for what stays, and each is counted twice.
  expect(statuses).toEqual([404, 404, 404, 404, 200, 200, 200, 200]);
  expect(await asked(ofBob, BOB)).toBe(200);
});
