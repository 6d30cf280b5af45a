/** A server that throws after its work sends a JSON-RPC error: its words tell as much as those of a failing result. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const DONE = 'Payment booked as pay_991, but the receipt mail failed: 503';
const LIMIT = 'Rate limit exceeded. Try again in 5 seconds';
const PARTLY = 'A part of it was done. Find out which; do not repeat the call.';

interface SaidOf {
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly result?: {
    readonly content: readonly [{ readonly text: string }];
    readonly error?: { readonly code: number; readonly data: { readonly retryable: boolean } };
  };
}

/** What is answered in a dialect to a call of a tool of which nothing is known, where its server says this. */
async function answered(dialect: string, error: object): Promise<SaidOf> {
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body || '{}') as { readonly id?: number };
    json(response, 200, { jsonrpc: '2.0', id, error });
  });
  const gateway = await open({ upstreams: { a: { url, dialect } } });
  const posted = await post(`${gateway.url}/a/mcp`, call('tools/call', { name: 'pay', arguments: {} }));
  return posted.message as SaidOf;
}

const THROWN = { code: -32603, message: DONE };
const BY_ERLMCP = { code: -32031, message: 'Tool execution failed', data: { tool: 'pay', reason: DONE } };

describe.each([
  ['the code of the SDKs', THROWN],
  ['the code of a document', BY_ERLMCP],
])('under %s', (_name, error) => {
  it('invites nobody in Closient (CL-25)', async () => {
    const { result } = await answered('closient', error);
    expect([result?.error?.code, result?.error?.data.retryable]).toEqual([-32300, false]);
    expect(result?.content[0].text).toBe(`${DONE}. ${PARTLY}`);
  });

  it('invites nobody in Platica (PL-4)', async () => {
    const { result } = await answered('platica', error);
    expect(JSON.parse(result?.content[0].text ?? '')).toMatchObject({ details: PARTLY });
  });

  it('invites nobody in our own', async () => {
    const said = JSON.stringify(await answered('mayday', error));
    expect(said).toContain('"retryable":false');
    expect(said).not.toMatch(/try again|call again/);
  });
});

it('is no limit to wait out in Closient, whatever the code beside the words (CL-19)', async () => {
  const data = { tool: 'pay', reason: LIMIT };
  const { result } = await answered('closient', { code: -32031, message: 'Tool execution failed', data });
  expect([result?.error?.code, result?.error?.data.retryable]).toEqual([-32300, false]);
  expect(result?.content[0].text).toBe(`${LIMIT}. It may have happened; check before you repeat a change.`);
});

it('believes a server that says itself of a failure that it is worth another try', async () => {
  const { result } = await answered('closient', { ...THROWN, data: { retryable: true } });
  expect(result?.error?.data.retryable).toBe(true);
});

it.each([
  'The rate limit of this plan was changed in between',
  'Plan saved; rate limit service failed',
  LIMIT,
])('has no words that the client of qaqnuz waits out: %s (QA-11)', async (message) => {
  const said = JSON.stringify(await answered('qaqnuz', { code: -32603, message }));
  expect(said).toContain('"isError":true');
  expect(said).not.toMatch(/rate[ -]?limit/i);
});
