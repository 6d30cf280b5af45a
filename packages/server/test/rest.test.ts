/** The REST twin: the same fault as a problem document, on four frameworks. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fault, read } from '@mayday/core';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages as expressPages, problems as expressProblems } from '../src/express.ts';
import { pages as fastifyPages, problems as fastifyProblems } from '../src/fastify.ts';
import { pages as honoPages, problems as honoProblems } from '../src/hono.ts';
import { faultPages, nodeFaultPages, problemResponse, withNodeProblems, withProblems } from '../src/http.ts';

const options = { typeBase: 'https://errors.example.com/faults', challenge: 'Bearer realm="orders"' };

/** What a route throws, by path. */
const THROWS: { readonly [path: string]: () => never } = {
  '/limited': () => {
    throw fault.rateLimited('Too many orders', { retry: { afterMs: 1500 } });
  },
  '/login': () => {
    throw fault.unauthenticated();
  },
  '/scope': () => {
    throw fault.forbidden('Missing scope orders.write', { details: { required_scopes: ['orders.write'] } });
  },
  '/crash': () => {
    throw new Error('postgres://svc:hunter2@10.0.0.5/prod');
  },
};

type Ask = (path: string, headers?: Record<string, string>) => Promise<Response>;

async function overPort(listener: Parameters<typeof createServer>[1]): Promise<[Ask, () => void]> {
  const server = createServer(listener as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return [
    (path, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers }),
    () => void server.close(),
  ];
}

const routeOf = (path: string): (() => never) => THROWS[path] ?? THROWS['/crash']!;

const FRAMEWORKS: { readonly [name: string]: () => Promise<[Ask, () => void]> } = {
  'web fetch': async () => {
    const pages = faultPages();
    const handle = withProblems((request: Request) => {
      const { pathname } = new URL(request.url);
      return pathname.startsWith('/faults/') ? pages(request) : routeOf(pathname)();
    }, options);
    return [(path, headers = {}) => handle(new Request(`http://localhost${path}`, { headers })), () => {}];
  },
  'node:http': () => {
    const pages = nodeFaultPages();
    return overPort(
      withNodeProblems((request, response) => {
        const path = request.url ?? '/';
        if (path.startsWith('/faults/')) pages(request, response);
        else routeOf(path)();
      }, options) as never,
    );
  },
  Hono: async () => {
    const app = new Hono();
    app.onError(honoProblems(options));
    app.get('/faults/*', honoPages());
    for (const [path, run] of Object.entries(THROWS)) app.get(path, run);
    return [async (path, headers = {}) => app.request(path, { headers }), () => {}];
  },
  Express: () => {
    const app = express();
    app.get('/faults/:kind', expressPages());
    for (const [path, run] of Object.entries(THROWS)) app.get(path, () => run());
    app.use(expressProblems(options));
    return overPort(app);
  },
  Fastify: async () => {
    const app = fastify();
    app.setErrorHandler(fastifyProblems(options));
    app.get('/faults/:kind', fastifyPages());
    for (const [path, run] of Object.entries(THROWS)) app.get(path, async () => run());
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    return [
      (path, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers }),
      () => void app.close(),
    ];
  },
};

describe.each(Object.entries(FRAMEWORKS))('%s', (_name, make) => {
  let ask: Ask;
  let close: () => void;
  beforeAll(async () => {
    [ask, close] = await make();
  });
  afterAll(() => close());

  it('answers with a problem document and Retry-After', async () => {
    const response = await ask('/limited');
    expect(response.status).toBe(429);
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(response.headers.get('retry-after')).toBe('2');
    const body = await response.json();
    expect(body).toMatchObject({
      type: 'https://errors.example.com/faults/rate_limited',
      title: 'Rate limited',
      status: 429,
      detail: 'Too many orders',
    });
    expect(read({ http: { status: 429, headers: {}, body } })).toMatchObject({
      fault: { kind: 'rate_limited', retry: { afterMs: 1500 } },
    });
  });

  it('challenges who is not known, and names the scope that is missing', async () => {
    expect((await ask('/login')).headers.get('www-authenticate')).toBe('Bearer realm="orders"');
    const response = await ask('/scope');
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="orders", error="insufficient_scope", scope="orders.write"',
    ]);
  });

  it('masks a crash, and gives it an identifier', async () => {
    const response = await ask('/crash');
    const text = await response.text();
    expect(response.status).toBe(500);
    expect(text).not.toContain('hunter2');
    expect(JSON.parse(text)).toMatchObject({
      kind: 'internal',
      correlation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('serves the page of a type, to browsers and to programs', async () => {
    const html = await ask('/faults/rate_limited', { accept: 'text/html,application/xhtml+xml' });
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await html.text()).toContain('<h1>Rate limited</h1>');
    const json = await ask('/faults/rate-limited', { accept: 'application/json' });
    expect(await json.json()).toMatchObject({
      kind: 'rate_limited',
      status: 429,
      advice: 'Wait, then call again.',
    });
    expect((await ask('/faults/no-such-kind')).status).toBe(404);
  });
});

it('rejects options that would make a broken header', () => {
  expect(() => problemResponse(fault.internal(), { typeBase: 'faults' })).toThrow(
    new TypeError('Expected `typeBase` to be an absolute URL, got "faults"'),
  );
  expect(() => problemResponse(fault.internal(), { challenge: 'Bearer\r\nx: y' })).toThrow(TypeError);
});

it('does not let a name in a path into the page', async () => {
  const page = await faultPages()(
    new Request('http://localhost/faults/%3Cscript%3E', { headers: { accept: 'text/html' } }),
  ).text();
  expect(page).not.toContain('<script>');
});
