/** PL-8, PL-16: -32001 is about the header of whoever called; what a server says of its own credentials is its 401, as a result. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const REFUSALS = [
  { code: -32051, message: 'Authentication failed', data: { reason: 'Bad token' } },
  { code: -32053, message: 'Invalid credentials' },
  { code: -32054, message: 'Token expired', data: { expired_at: 1 } },
];

it.each(REFUSALS.flatMap((error) => [undefined, 'erlmcp'].map((from) => ({ error, from }))))(
  '$error.code from $from',
  async ({ error, from }) => {
    const { url } = await upstream((body, response) => {
      const { id } = JSON.parse(body || '{}') as { id?: number };
      json(response, 200, { jsonrpc: '2.0', id, error });
    });
    const gateway = await open({ upstreams: { a: { url, from, dialect: 'platica' } } });
    const { message } = await post(`${gateway.url}/a/mcp`, callTool('pay'));
    expect(message).toMatchObject({ result: { isError: true, structuredContent: { code: 401 } } });
    expect(JSON.stringify(message)).not.toContain('Authorization header');
  },
);
