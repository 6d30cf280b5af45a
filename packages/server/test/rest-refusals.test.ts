/** What frameworks refuse before a route runs, and what their own errors mean, as problem documents. */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fault } from '@mayday/core';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { validator } from 'hono/validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problems as expressProblems } from '../src/express.ts';
import { problems as fastifyProblems } from '../src/fastify.ts';
import { problems as honoProblems } from '../src/hono.ts';
import { problemResponse } from '../src/http.ts';

/** Express's own `http-errors`, which it throws. */
const fromExpress = createRequire(createRequire(import.meta.url).resolve('express'));
const createError: (status: number, message: string, props?: object) => Error = fromExpress('http-errors');

type Send = (body: string | Buffer, headers?: Record<string, string>, path?: string) => Promise<Response>;

const post = (base: string): Send => {
  return (body, headers = {}, path = '/orders') =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: body as never,
    });
};

/** Without Express's router, whose promises the test runner's way to resolve modules breaks. */
async function overExpress(): Promise<[Send, () => void]> {
  const parse = express.json({ limit: 1000 });
  const toProblem = expressProblems();
  const server = createServer((request, response) =>
    parse(request as never, response as never, (reason?: unknown) => {
      if (reason === undefined) response.end('{}');
      else toProblem(reason, request as never, response as never, () => {});
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [post(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), () => void server.close()];
}

async function overFastify(): Promise<[Send, () => void]> {
  const app = fastify({ bodyLimit: 1000 });
  app.setErrorHandler(fastifyProblems());
  const body = {
    type: 'object',
    required: ['email'],
    properties: { email: { type: 'string' }, seats: { type: 'integer', maximum: 9 } },
  };
  app.post('/orders', { schema: { body } }, async (request) => request.body);
  await app.listen({ port: 0, host: '127.0.0.1' });
  return [post(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`), () => void app.close()];
}

async function overHono(): Promise<[Send, () => void]> {
  const app = new Hono();
  app.onError(honoProblems());
  app.post('/orders', async (context) => context.json(await context.req.json()));
  app.post(
    '/checked',
    validator('json', (value) => value),
    (context) => context.json({}),
  );
  const send: Send = async (body, headers = {}, path = '/orders') =>
    app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: body as never,
    });
  return [send, () => {}];
}

describe.each([
  ['Express', overExpress],
  ['Fastify', overFastify],
  ['Hono', overHono],
] as const)('%s', (name, make) => {
  let send: Send;
  let close: () => void;
  beforeAll(async () => {
    [send, close] = await make();
  });
  afterAll(() => close());

  it('calls malformed JSON a parse error of the caller’s, which did nothing', async () => {
    const response = await send('{"email": ');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      kind: 'parse_error',
      status: 400,
      retryable: false,
      executed: 'no',
      detail: 'The request body is not valid JSON',
    });
  });

  it.skipIf(name === 'Hono')('calls a body that is too large too large', async () => {
    const response = await send(JSON.stringify({ email: 'x'.repeat(2000) }));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ kind: 'too_large', status: 413, retryable: false });
  });

  it.skipIf(name === 'Hono')('calls a media type or charset that nobody reads unsupported', async () => {
    const type = name === 'Express' ? 'application/json; charset=klingon' : 'application/klingon';
    const response = await send('{}', { 'content-type': type });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ kind: 'unsupported_media', status: 415 });
  });
});

it('Express calls an encoding that nobody reads unsupported', async () => {
  const [send, close] = await overExpress();
  const response = await send('{}', { 'content-encoding': 'klingon' });
  expect([response.status, await response.json()]).toMatchObject([415, { kind: 'unsupported_media' }]);
  close();
});

it.each(['gzip', 'deflate', 'br'])(
  'Express calls a body that is no %s a parse error, which did nothing',
  async (coding) => {
    const [send, close] = await overExpress();
    const response = await send('{"email": "ada"}', { 'content-encoding': coding });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      {
        kind: 'parse_error',
        executed: 'no',
        detail: 'The request body is not packed as its Content-Encoding says',
      },
    ]);
    close();
  },
);

it('Fastify’s schema names the fields', async () => {
  const [send, close] = await overFastify();
  const missing = await send('{"seats": 2}');
  expect(missing.status).toBe(400);
  expect(await missing.json()).toMatchObject({
    kind: 'invalid_arguments',
    executed: 'no',
    detail: expect.stringContaining('email'),
    issues: [{ path: ['email'], code: 'required' }],
  });
  const wrong = await send('{"email": "a@b.co", "seats": 12}');
  expect(await wrong.json()).toMatchObject({ issues: [{ path: ['seats'], message: 'must be <= 9' }] });
  close();
});

it('Hono’s validator says the same, and a response of one’s own stays', async () => {
  const [send] = await overHono();
  const malformed = await send('{"email": ', {}, '/checked');
  expect([malformed.status, await malformed.json()]).toMatchObject([400, { kind: 'parse_error' }]);
  const app = new Hono();
  app.onError(honoProblems());
  app.get('/own', () => {
    throw new HTTPException(418, { res: new Response('short and stout', { status: 418 }) });
  });
  app.get('/said', () => {
    throw new HTTPException(404, { message: 'No order 4711' });
  });
  const own = await app.request('/own');
  expect([own.status, await own.text()]).toEqual([418, 'short and stout']);
  expect(await (await app.request('/said')).json()).toMatchObject({
    kind: 'not_found',
    detail: 'No order 4711',
  });
});

describe('an error of `http-errors`', () => {
  const told = async (reason: unknown) => {
    const response = problemResponse(reason);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  it('keeps its status, its words for the caller, and its headers', async () => {
    expect(await told(createError(404, 'No order 4711'))).toMatchObject({
      status: 404,
      body: { kind: 'not_found', detail: 'No order 4711', status: 404 },
    });
    const wrongMethod = await told(createError(405, 'Only GET', { headers: { allow: 'GET' } }));
    expect([
      wrongMethod.status,
      (wrongMethod.body as { status: number }).status,
      wrongMethod.headers.get('allow'),
    ]).toEqual([405, 405, 'GET']);
    const limited = await told(createError(429, 'Slow down', { headers: { 'Retry-After': '7' } }));
    expect(limited.headers.get('retry-after')).toBe('7');
  });

  it('keeps the words of a 500 to the log', async () => {
    const { status, body } = await told(createError(500, 'postgres://svc:hunter2@db/prod'));
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(body).toMatchObject({ kind: 'internal', detail: 'Internal error' });
  });

  it('loses the secrets in its headers, and a wait that is none, but nothing that a client has to send back', async () => {
    const secret = `${'gh'}p_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5`;
    const said = {
      allow: `GET, ${secret}`,
      'retry-after': secret,
      'www-authenticate': `Bearer realm="${secret}"`,
    };
    const { headers } = await told(createError(401, 'No', { headers: said }));
    expect(JSON.stringify([...headers])).not.toContain(secret);
    expect(headers.get('retry-after')).toBeNull();
    expect(headers.get('allow')).toMatch(/^GET, \[/);
    const digest = 'Digest realm="orders", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", qop="auth"';
    const asked = await told(createError(401, 'No', { headers: { 'www-authenticate': digest } }));
    expect(asked.headers.get('www-authenticate')).toBe(digest);
  });

  it('loses its secrets', async () => {
    const { body } = await told(createError(400, 'password=hunter2S3cr3tPassw0rd is wrong'));
    expect(JSON.stringify(body)).not.toContain('hunter2S3cr3tPassw0rd');
  });
});

describe('what a route throws', () => {
  const told = async (reason: unknown, options = {}) => problemResponse(reason, options).json();

  it('may have done something, unless the author says otherwise', async () => {
    expect(await told(fault.conflict('Shipped'))).toMatchObject({ executed: 'maybe' });
    expect(await told(fault.conflict('Shipped', { executed: 'no' }))).toMatchObject({ executed: 'no' });
    expect(await told(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))).toMatchObject({
      executed: 'maybe',
    });
  });

  it('keeps words that the caller can act on', async () => {
    expect(await told(new Error('Entity zzz not found'))).toMatchObject({
      detail: 'Entity zzz not found',
      status: 404,
    });
    expect(await told(new Error('Entity zzz not found'), { messages: 'none' })).toMatchObject({
      detail: 'Not found',
    });
  });

  it('is not a malformed request because a backend’s answer was', async () => {
    const reason = new SyntaxError('Unexpected end of JSON input');
    expect(await told(reason)).toMatchObject({ kind: 'upstream_failed', status: 502 });
  });
});

it('refuses options that it does not have', () => {
  expect(() => problemResponse(fault.internal(), { typebase: 'x' } as never)).toThrow(
    '`problems` has no option `typebase`: did you mean `typeBase`?',
  );
});

describe('a SyntaxError', () => {
  const parserError = (): unknown => {
    try {
      return JSON.parse('{"a":');
    } catch (reason) {
      return reason;
    }
  };
  const kindOf = async (reason: unknown): Promise<unknown> => {
    const app = fastify();
    app.setErrorHandler(fastifyProblems());
    app.post('/orders', () => Promise.reject(reason));
    const answer = await app.inject({ method: 'POST', url: '/orders' });
    return [answer.statusCode, answer.json().kind, answer.json().detail];
  };

  it('with status 400 and no code is what the body parsers of Fastify 3 and 4 throw', async () => {
    const reason = Object.assign(parserError() as Error, { statusCode: 400 });
    expect(await kindOf(reason)).toEqual([400, 'parse_error', 'The request body is not valid JSON']);
  });

  it('without a status is of the route', async () => {
    expect(await kindOf(parserError())).toEqual([502, 'upstream_failed', expect.any(String)]);
  });
});
