/** Web pages of other origins that may call: browsers ask first, and let a page read what they are told to. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../../../console/test/browser.ts';
import {
  call,
  cleanUp,
  INITIALIZE,
  JSON_TYPES,
  json,
  later,
  open,
  STDIO_SERVER,
  upstream,
} from '../tools.ts';

afterEach(cleanUp);

const PAGE = 'https://page.example';
const KEY = 'a-key-of-anns-own';

interface Told {
  readonly status: number | undefined;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
}

/** `fetch` does not say where it comes from. */
function ask(
  url: string,
  method: string,
  headers: { readonly [name: string]: string },
  body?: object,
): Promise<Told> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (answer) => {
      resolve({ status: answer.statusCode, headers: answer.headers });
      answer.destroy();
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function preflight(url: string, origin: string, more: { readonly [name: string]: string } = {}) {
  return ask(url, 'OPTIONS', { origin, 'access-control-request-method': 'POST', ...more });
}

/** What is said about pages. */
function aboutPages({ headers }: Told): { readonly [name: string]: unknown } {
  const said = Object.entries(headers).filter(([name]) => /^access-control-|^vary$/.test(name));
  return Object.fromEntries(said);
}

function house(more: object = {}) {
  return open({
    listen: { allowed_origins: [PAGE] },
    keys: [{ name: 'ann', key: KEY }],
    upstreams: { a: STDIO_SERVER },
    ...more,
  });
}

const READABLE = {
  'access-control-allow-origin': PAGE,
  'access-control-expose-headers': 'Mcp-Session-Id, MCP-Protocol-Version, Retry-After, WWW-Authenticate',
  vary: 'Origin',
};

it.each(['/a/mcp', '/mcp', '/nobody/mcp'])(
  'a browser that asks first is told what may be sent: %s',
  async (path) => {
    const told = await preflight((await house()).url + path, PAGE);
    expect(told.status).toBe(204);
    expect(aboutPages(told)).toEqual({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'POST, GET, DELETE',
      'access-control-allow-headers':
        'Accept, Authorization, Content-Type, Last-Event-ID, Mayday-Dialect, Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id, traceparent, tracestate',
      'access-control-max-age': '86400',
      vary: 'Origin',
    });
  },
);

it('and arguments that tools want in headers, but no other names', async () => {
  const asked = { 'access-control-request-headers': 'cookie, Mcp-Param-Region,x-other' };
  const { headers } = await preflight(`${(await house()).url}/a/mcp`, PAGE, asked);
  expect(headers['access-control-allow-headers']).toMatch(/, tracestate, Mcp-Param-Region$/);
});

it('pages on this machine may call without being named', async () => {
  const told = await preflight(`${(await house()).url}/a/mcp`, 'http://localhost:3000');
  expect([told.status, told.headers['access-control-allow-origin']]).toEqual([204, 'http://localhost:3000']);
});

it('the page may read answers, and refusals', async () => {
  const { url } = await house();
  const known = { ...JSON_TYPES, origin: PAGE, authorization: `Bearer ${KEY}` };
  const answers = [
    await ask(`${url}/a/mcp`, 'POST', known, INITIALIZE),
    await ask(`${url}/mcp`, 'POST', known, call('tools/list')),
    await ask(`${url}/a/mcp`, 'POST', { ...JSON_TYPES, origin: PAGE }, call('tools/list')),
    await ask(`${url}/nobody/mcp`, 'POST', known, call('tools/list')),
    await ask(`${url}/a/mcp`, 'PUT', known, call('tools/list')),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 405]);
  expect(answers.map(aboutPages)).toEqual(answers.map(() => READABLE));
});

it('and streams, whatever their server says about pages of its own', async () => {
  const server = await upstream((body, response) => {
    const { id } = JSON.parse(body) as { id: number };
    const own = {
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
      vary: 'Accept',
    };
    for (const [name, value] of Object.entries(own)) response.setHeader(name, value);
    json(response, 200, { jsonrpc: '2.0', id, result: { tools: [] } });
  });
  const { url } = await house({ upstreams: { a: STDIO_SERVER, b: { url: server.url } } });
  const known = { ...JSON_TYPES, origin: PAGE, authorization: `Bearer ${KEY}` };
  expect(aboutPages(await ask(`${url}/b/mcp`, 'POST', known, call('tools/list')))).toEqual({
    ...READABLE,
    vary: 'Accept, Origin',
  });
  const stream = await ask(`${url}/a/sse`, 'GET', { ...known, accept: 'text/event-stream' });
  expect([stream.headers['content-type'], aboutPages(stream)]).toEqual(['text/event-stream', READABLE]);
});

it('pages that may not call are told nothing, nor are those who are no page', async () => {
  const { url } = await house();
  const known = { ...JSON_TYPES, authorization: `Bearer ${KEY}` };
  const stranger = await preflight(`${url}/a/mcp`, 'https://other.example');
  const noPage = await ask(`${url}/a/mcp`, 'POST', known, call('tools/list'));
  const noQuestion = await ask(`${url}/a/mcp`, 'OPTIONS', { ...known, origin: PAGE });
  expect([stranger.status, aboutPages(stranger)]).toEqual([403, {}]);
  expect([noPage.status, aboutPages(noPage)]).toEqual([200, {}]);
  expect([noQuestion.status, noQuestion.headers['allow']]).toEqual([405, 'POST, GET, DELETE']);
});

it.each(['/-/status', '/-/admin/v1/keys', '/-/health', '/-/console/'])(
  'what operators ask is for the pages of the gateway alone: %s',
  async (path) => {
    const { url } = await house();
    const first = await preflight(url + path, PAGE);
    const then = await ask(url + path, 'GET', { origin: PAGE, authorization: `Bearer ${KEY}` });
    expect([first, then].map(({ headers }) => headers['access-control-allow-origin'])).toEqual([
      undefined,
      undefined,
    ]);
    expect(first.status).not.toBe(204);
  },
);

const chromium = browserPath();

describe.skipIf(chromium === undefined)('a browser', () => {
  it('opens a session from a page, and calls in it', async () => {
    const pages = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<p>'),
    );
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    later(() => pages.close());
    const gateway = await house();
    const browser = await openBrowser(chromium ?? '');
    later(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    const sent = { url: `${gateway.url}/a/mcp`, key: KEY, types: { ...JSON_TYPES }, open: INITIALIZE };
    const seen = await page.evaluate(async ({ url, key, types, open: opening }) => {
      const send = (headers: object, message: object): Promise<Response> =>
        fetch(url, { method: 'POST', headers: { ...types, ...headers }, body: JSON.stringify(message) });
      const stranger = await send({}, opening);
      const authorization = `Bearer ${key}`;
      const opened = await send({ authorization }, opening);
      const session = opened.headers.get('mcp-session-id') ?? '';
      const echo = { jsonrpc: '2.0', id: 2, method: 'echo', params: {} };
      const inSession = { authorization, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
      const echoed = await send(inSession, echo);
      return {
        challenge: stranger.headers.get('www-authenticate'),
        hasSession: session !== '',
        status: echoed.status,
        text: await echoed.text(),
      };
    }, sent);
    expect(seen).toMatchObject({ challenge: 'Bearer', hasSession: true, status: 200 });
    expect(seen.text).toContain('"result"');
  });
});
