import { read } from '@mayday/core';
import { closientProblem } from '@mayday/core/dialects/closient';
import { callTool, jsonOf, memoryLogger, serveHere, tempFolder } from '@mayday/reference-shared/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { createClosient } from './service.ts';
import { openStore } from './store.ts';
import { mintToken } from './tokens.ts';

let server: { readonly url: string };
const data = tempFolder();
const bare = mintToken(openStore(data), 'visitor', []);

beforeAll(async () => {
  server = await serveHere(createClosient({ data, logger: memoryLogger() }));
});

const get = (path: string, init: RequestInit = {}) => fetch(new URL(path, server.url), init);
const json = (body: unknown, headers = {}) => ({ method: 'POST', body: JSON.stringify(body), headers });

describe('REST and MCP', () => {
  it.each([
    [
      'not_found',
      404,
      () => get('/v1/gtins/00614141123452/resolution'),
      'resolve_gtin',
      { gtin: '00614141123452' },
      {},
    ],
    ['validation_error', 400, () => get('/v1/products/123'), 'lookup_product', { gtin: '123' }, {}],
    ['unauthorized', 401, () => get('/v1/qr', json({ gtin: '1' })), 'generate_qr_url', { gtin: '1' }, {}],
    [
      'forbidden',
      403,
      () => get('/v1/qr', json({ gtin: '1' }, { authorization: `Bearer ${bare}` })),
      'generate_qr_url',
      { gtin: '1' },
      { authorization: `Bearer ${bare}` },
    ],
  ] as const)(
    'CL-1 CL-13 CL-14 say %s with the same problem document',
    async (name, status, request, tool, args, headers) => {
      const response = await request();
      expect([response.status, response.headers.get('content-type')]).toEqual([
        status,
        'application/problem+json',
      ]);
      const body = await jsonOf(response);
      const { error } = (await callTool(server.url, tool, args, headers)).result;
      expect({ ...body, timestamp: '' }).toEqual({ ...error.data, timestamp: '' });
      expect(body.error_code).toBe(name);
      const overRest = read({
        http: { status, headers: { 'content-type': 'application/problem+json' }, body },
      });
      expect(overRest).toMatchObject({ failure: true, dialect: 'closient', fault: { message: body.detail } });
      expect(closientProblem((overRest as Extract<typeof overRest, { failure: true }>).fault, 0)).toEqual(
        body,
      );
    },
  );

  it.each([
    ['/v1/ping', { message: 'pong' }],
    ['/v1/gtins/96385074/validation', { valid: true, normalized: '00000096385074' }],
    ['/v1/gtins/abc/validation', { valid: false, reason: 'must be 8, 12, 13, or 14 digits' }],
    ['/v1/gtins/9506000134352/resolution?batch=LOT-7', { level: 'batch' }],
    ['/v1/products/9506000134352', { found: true, product: { brand: 'Fontana' } }],
    ['/v1/products/00614141123452', { found: false }],
  ])('CL-15 CL-29 CL-31 %s returns the payload directly, without an error key', async (path, payload) => {
    const body = await jsonOf(await get(path));
    expect(body).toMatchObject(payload);
    expect(body).not.toHaveProperty('error');
  });

  it.each([
    ['a body that is no JSON', '{"gtin":', 400, 'bad_request', 'The body must be a JSON object'],
    ['a body that is a list', '[1]', 400, 'bad_request', 'The body must be a JSON object'],
    ['a body that is null', 'null', 400, 'bad_request', 'The body must be a JSON object'],
    ['a body that is a text', '"gtin"', 400, 'bad_request', 'The body must be a JSON object'],
    [
      'a body that is too large',
      JSON.stringify({ gtin: '1'.repeat(2_000_000) }),
      413,
      'bad_request',
      'The body must not exceed 1048576 bytes',
    ],
    ['a wrong type', '{"gtin":12}', 400, 'validation_error', 'Invalid arguments for tool generate_qr_url'],
  ])('CL-20 CL-21 refuses %s', async (_what, body, status, name, detail) => {
    const headers = { authorization: `Bearer ${mintToken(openStore(data), 'maker', ['qr:generate'])}` };
    const response = await get('/v1/qr', { method: 'POST', body, headers });
    const problem = await jsonOf(response);
    expect([response.status, problem.error_code]).toEqual([status, name]);
    expect(problem.detail).toMatch(detail);
  });

  it('CL-24 claims, once for all who ask with the same token', async () => {
    const headers = { authorization: `Bearer ${mintToken(openStore(data), 'maker', ['gtin:claim'])}` };
    const claim = async () => jsonOf(await get('/v1/claims', json({ gtin: '96385074' }, headers)));
    const first = await claim();
    expect(first).toEqual({ gtin: '00000096385074', claimed_at: expect.stringMatching(/^\d{4}-.+Z$/) });
    expect(await claim()).toEqual(first);
  });

  it('refuses unknown addresses and methods', async () => {
    const nothing = await get('/v1/nothing');
    expect([nothing.status, (await jsonOf(nothing)).detail]).toEqual([
      404,
      'There is nothing at this address',
    ]);
    const wrong = await get('/v1/ping', { method: 'DELETE' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await jsonOf(wrong)).toMatchObject({
      error_code: 'bad_request',
      status: 405,
      retryable: false,
      detail: 'DELETE is not allowed here',
    });
    const malformed = await get('/v1/gtins/%E0%A4%A/validation');
    expect([malformed.status, (await jsonOf(malformed)).detail]).toEqual([400, 'The address is malformed']);
    expect((await get('/v1/ping')).status).toBe(200);
  });
});
