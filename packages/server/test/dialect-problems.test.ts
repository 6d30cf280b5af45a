/** A dialect's own problem documents over REST, the pages behind their types, and arguments checked the same way. */
import { fault } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { faultPages, problemResponse, problemWriter } from '../src/http.ts';
import { checkArguments } from '../src/index.ts';

const closient = { dialect: 'closient' } as const;

describe('problems of a dialect', () => {
  it.each([
    [fault.notFound('No product'), 404, 'not_found', false],
    [fault.rateLimited('Slow down', { retry: { afterMs: 29_001 } }), 429, 'rate_limited', true],
    [fault.unauthenticated('Who?'), 401, 'unauthorized', false],
    [new Error('postgres://svc:hunter2@10.0.0.5/prod'), 500, 'internal_error', true],
    [
      Object.assign(new Error('PUT is not allowed'), { status: 405, headers: { allow: 'GET' } }),
      405,
      'bad_request',
      false,
    ],
  ] as const)('CL-13 %s is HTTP %i, %s', async (reason, status, name, retryable) => {
    const response = problemResponse(reason, closient);
    const text = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json',
    ]);
    expect(JSON.parse(text)).toMatchObject({
      type: `https://closient.com/docs/errors/${name}`,
      status,
      error_code: name,
      retryable,
    });
    expect(text).not.toContain('hunter2');
  });

  it('say in headers what belongs there', () => {
    const headersOf = (reason: unknown) => problemResponse(reason, closient).headers;
    expect(headersOf(fault.rateLimited('x', { retry: { afterMs: 29_001 } })).get('retry-after')).toBe('30');
    expect(headersOf(fault.notFound('x')).get('retry-after')).toBeNull();
    expect(headersOf(fault.unauthenticated('x')).get('www-authenticate')).toBe('Bearer');
    expect(
      headersOf(Object.assign(new Error('x'), { status: 405, headers: { allow: 'GET' } })).get('allow'),
    ).toBe('GET');
  });

  it('leave their cause in the log', () => {
    const lines: object[] = [];
    const logger = { error: (fields: object) => void lines.push(fields) };
    problemWriter({ ...closient, logger })(new Error('database is locked'));
    expect(lines).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ message: 'database is locked' }) }),
    ]);
  });

  it('are refused for a dialect that has none', () => {
    expect(() => problemWriter({ dialect: 'erlmcp' })).toThrow('"problem" or a dialect that has one');
  });
});

describe('pages of a dialect', () => {
  const pages = faultPages(closient);
  const get = (name: string, accept = 'application/json') =>
    pages(new Request(`https://closient.com/docs/errors/${name}`, { headers: { accept } }));

  it.each([
    ['unauthorized', -32001, 401, false],
    ['forbidden', -32002, 403, false],
    ['rate_limited', -32003, 429, true],
    ['bad_request', -32100, 400, false],
    ['validation_error', -32101, 400, false],
    ['unprocessable_entity', -32102, 422, false],
    ['not_found', -32200, 404, false],
    ['conflict', -32201, 409, false],
    ['internal_error', -32300, 500, true],
  ])('CL-5 %s has one, with %i, %i and %s', async (name, code, status, retryable) => {
    expect(await get(name).json()).toMatchObject({ name, code, status, retryable });
    const html = await get(name, 'text/html').text();
    expect(html).toContain(`<code>${name}</code>`);
    expect(html).toContain(`<td>${retryable ? 'yes' : 'no'}</td>`);
  });

  it('are listed, and no other is there', async () => {
    expect(((await get('').json()) as unknown[]).length).toBe(9);
    expect(await get('', 'text/html').text()).toContain('<a href="bad_request">');
    expect([get('invalid_arguments').status, get('%ff').status]).toEqual([404, 404]);
  });
});

describe('checkArguments', () => {
  const schema = z.strictObject({ gtin: z.string(), n: z.coerce.number().optional() });

  it('gives the arguments as the schema makes them', async () => {
    expect(await checkArguments('resolve', schema, { gtin: '1', n: '7' })).toEqual({ gtin: '1', n: 7 });
  });

  it('CL-1 throws what a caller over MCP gets', async () => {
    await expect(checkArguments('resolve', schema, undefined)).rejects.toMatchObject({
      fault: {
        kind: 'invalid_arguments',
        message: 'Invalid arguments for tool resolve',
        issues: [{ path: ['gtin'], message: 'required, expected string', code: 'required' }],
      },
    });
    await expect(checkArguments('resolve', schema, { gtin: 'x', gtln: 1 })).rejects.toMatchObject({
      fault: { issues: [{ path: ['gtln'], message: 'unknown argument, did you mean gtin?' }] },
    });
  });
});
