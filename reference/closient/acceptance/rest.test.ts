import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, type HttpAnswer } from '../../acceptance/http.ts';
import { mayday } from '../../acceptance/mayday.ts';
import { SLOW } from '../../acceptance/program.ts';
import { callTool, type Message, type Wire } from '../../acceptance/wire.ts';
import { type Desk, type ErrorCode, OVER_MCP, OVER_REST, openDesk, rest, UNKNOWN_GTIN } from './provoke.ts';

const STATUSES: [ErrorCode, number][] = [
  ['unauthorized', 401],
  ['forbidden', 403],
  ['rate_limited', 429],
  ['bad_request', 400],
  ['validation_error', 400],
  ['unprocessable_entity', 422],
  ['not_found', 404],
  ['conflict', 409],
  ['internal_error', 500],
];

const JSON_TYPE = { 'content-type': 'application/json' };

let desk: Desk;
const overRest = new Map<ErrorCode, HttpAnswer>();
const overMcp = new Map<ErrorCode, Message>();

/** What may differ between two tellings of one failure: the time, and a wait that gets shorter. */
function timeless(problem: Wire): Wire {
  const { timestamp, retry_after, ...rest } = problem ?? {};
  return { ...rest, timed: typeof timestamp, waits: typeof retry_after };
}

beforeAll(async () => {
  desk = await openDesk(['ada', 'bob', 'guest', 'hasty'], ['--per-minute', '30']);
  for (const [name] of STATUSES) {
    overMcp.set(name, await OVER_MCP[name](desk));
    overRest.set(name, await OVER_REST[name](desk));
  }
}, SLOW);
afterAll(() => desk.close());

describe.each(STATUSES)('%s over REST', (name, status) => {
  it(`CL-7 CL-13: ${name} is HTTP ${status} with application/problem+json`, () => {
    expect(overRest.get(name)?.status).toBe(status);
    expect(overRest.get(name)?.headers['content-type']).toMatch(/^application\/problem\+json\b/);
  });

  it(`CL-1 CL-13: ${name} is the problem document that a tool’s error carries`, () => {
    const answer = overMcp.get(name);
    const error = answer?.result?.error ?? answer?.error;
    const problem = JSON.parse(overRest.get(name)?.text ?? '');
    expect(problem.error_code).toBe(name);
    // A malformed body and a malformed message are two occurrences of one class.
    const compared = name === 'bad_request' ? { detail: expect.any(String) } : {};
    expect(timeless(problem)).toEqual({ ...timeless(error?.data), ...compared });
  });
});

describe('one mapping for both', () => {
  it('CL-14: a problem over REST reads as the same fault as the tool’s error', async () => {
    const names = STATUSES.map(([name]) => name);
    const answers = names.map((name) => overRest.get(name));
    const bodies = answers.map((answer) => ({
      http: { status: answer?.status, headers: answer?.headers, body: answer?.text },
    }));
    const readings = await mayday(['read'], [...names.map((name) => overMcp.get(name)), ...bodies]);
    const told = readings.map(({ kind, reaction, retryable, message, issues }) => ({
      kind,
      reaction,
      retryable,
      message,
      issues,
    }));
    expect(told.slice(names.length).filter((_, row) => names[row] !== 'bad_request')).toEqual(
      told.slice(0, names.length).filter((_, row) => names[row] !== 'bad_request'),
    );
  });

  it('CL-19: a rate limit over REST has a Retry-After header with the same seconds', () => {
    const answer = overRest.get('rate_limited');
    expect(answer?.headers['retry-after']).toBe(String(JSON.parse(answer?.text ?? '').retry_after));
  });

  it.each([
    ['generate_qr_url', '/v1/qr', {}],
    ['generate_qr_url', '/v1/qr', { gtin: 7 }],
    ['claim_gtin', '/v1/claims', { gtin: ['1'] }],
    ['claim_gtin', '/v1/claims', { gtin: '96385075' }],
  ])(
    'CL-1 CL-13 CL-14 CL-21: %s at %s with %j fails in the same words over both',
    async (tool, path, body) => {
      const answer = await callTool(desk.bob, tool, body);
      const problem = JSON.parse((await rest(desk, desk.bob, 'POST', path, body)).text);
      expect(answer.result?.error?.code).toBe(-32101);
      expect(timeless(problem)).toEqual(timeless(answer.result?.error?.data));
    },
  );

  it('CL-1: success is the same payload over both', async () => {
    const path = `/v1/products/${UNKNOWN_GTIN}`;
    const answer = await callTool(desk.bob, 'lookup_product', { gtin: UNKNOWN_GTIN });
    expect(answer.result?.structuredContent).toEqual({ gtin: UNKNOWN_GTIN, found: false });
    expect(JSON.parse((await rest(desk, desk.bob, 'GET', path)).text)).toEqual({
      gtin: UNKNOWN_GTIN,
      found: false,
    });
  });

  it('CL-13: a wrong method is refused with the methods that are right', async () => {
    const answer = await rest(desk, desk.bob, 'DELETE', '/v1/qr');
    expect(JSON.parse(answer.text).error_code).toBe('bad_request');
    expect(String(answer.headers['allow'])).toContain('POST');
  });

  it.each([
    ['a body that is no UTF-8', 'POST', 400, 'bad_request', JSON_TYPE, Buffer.from([0x22, 0xff, 0x22])],
    ['a Host that is not served', 'GET', 403, 'forbidden', { host: 'evil.example' }, undefined],
    ['a method of no page', 'TRACE', 405, 'bad_request', {}, undefined],
  ])('CL-1 CL-13: %s is a problem document too', async (_what, method, status, name, headers, body) => {
    const answer = await exchange(`${desk.server.origin}/v1/qr`, { method, headers, body });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json\b/);
    expect(JSON.parse(answer.text)).toMatchObject({
      type: `https://closient.com/docs/errors/${name}`,
      title: expect.any(String),
      status,
      error_code: name,
      retryable: false,
    });
  });

  it('CL-25: an internal error over REST leaves its cause in the log', async () => {
    const before = desk.server.program.errors().length;
    await OVER_REST.internal_error(desk);
    expect(desk.server.program.errors().slice(before)).toContain('no such table: claims');
  });

  it.each(STATUSES)('CL-5: the page behind the type of %s is served', async (name) => {
    const page = await rest(desk, desk.nobody, 'GET', `/docs/errors/${name}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(name);
  });
});
