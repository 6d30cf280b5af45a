/** Servers that are reached through a proxy, or that only a private authority vouches for. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beforeSecondTry } from '../../../../test/second-try.ts';
import { proxyFor } from '../../src/settings/reach.ts';
import { cleanUp, idIn, json, later, open, post } from '../tools.ts';

const CERTIFICATE = join(import.meta.dirname, '../certificates/first.cert.pem');
const KEY = join(import.meta.dirname, '../certificates/first.key.pem');
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: {} } };

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** A proxy that asks for a password, and notes what it was asked. */
async function serveProxy(): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const isLetIn = ({ headers }: IncomingMessage): boolean =>
    headers['proxy-authorization'] === `Basic ${Buffer.from('ann:s:cret').toString('base64')}`;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${isLetIn(request)}`);
    if (!isLetIn(request)) {
      response.writeHead(407).end();
      return;
    }
    const { headers, method, url = '' } = request;
    const onward = httpRequest(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', (request, socket, head) => {
    asked.push(`CONNECT ${request.url} ${isLetIn(request)}`);
    if (!isLetIn(request)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const onward = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { port: await listening(server), asked };
}

let proxy: Awaited<ReturnType<typeof serveProxy>>;
let gateway: Awaited<ReturnType<typeof open>>;
let port: number;

async function openAll(): Promise<void> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const result = { content: [{ type: 'text', text: 'here' }] };
    const body = await text(request);
    json(response, 200, { jsonrpc: '2.0', id: body === '' ? 1 : idIn(body), result });
  };
  const files = { cert: readFileSync(CERTIFICATE), key: readFileSync(KEY) };
  port = await listening(createSecureServer(files, answer));
  const plain = await listening(createServer(answer));
  proxy = await serveProxy();
  const secret = `http://ann:s%3Acret@127.0.0.1:${proxy.port}`;
  const openapi = join(mkdtempSync(join(tmpdir(), 'mayday-')), 'api.json');
  writeFileSync(
    openapi,
    JSON.stringify({ openapi: '3.1.0', paths: { '/echo': { get: { operationId: 'echo' } } } }),
  );
  gateway = await open({
    upstreams: {
      trusted: { url: `https://localhost:${port}/mcp`, ca: CERTIFICATE },
      unknown: { url: `https://localhost:${port}/mcp` },
      tunnel: { url: `https://localhost:${port}/mcp`, ca: CERTIFICATE, proxy: secret },
      plain: { url: `http://127.0.0.1:${plain}/mcp`, proxy: secret },
      refused: { url: `https://localhost:${port}/mcp`, proxy: `http://127.0.0.1:${proxy.port}` },
      api: { openapi, base_url: `https://localhost:${port}`, ca: CERTIFICATE, proxy: secret },
      'plain-refused': { url: `http://127.0.0.1:${plain}/mcp`, proxy: `http://127.0.0.1:${proxy.port}` },
      plainly: { url: `https://localhost:${plain}/mcp` },
      stranger: { openapi, base_url: `https://localhost:${port}` },
    },
  });
}
beforeAll(openAll);
beforeSecondTry(openAll);
afterAll(cleanUp);

it('trusts those that the settings name, and nobody else', async () => {
  expect((await post(`${gateway.url}/trusted/mcp`, CALL)).text).toContain('here');
  const { text } = await post(`${gateway.url}/unknown/mcp`, CALL);
  expect(text).toMatch(/certificate was not accepted/);
  expect(text).toContain('"executed":"no"');
});

it('goes through a proxy to those that are spoken to in secret, and to others', async () => {
  expect((await post(`${gateway.url}/tunnel/mcp`, CALL)).text).toContain('here');
  expect((await post(`${gateway.url}/plain/mcp`, CALL)).text).toContain('here');
  expect(proxy.asked[0]).toBe(`CONNECT localhost:${port} true`);
  expect(proxy.asked[1]).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/mcp true$/);
});

it('reaches an API the same way', async () => {
  const before = proxy.asked.length;
  expect((await post(`${gateway.url}/api/mcp`, CALL)).text).toContain('here');
  expect(proxy.asked.slice(before)).toEqual([`CONNECT localhost:${port} true`]);
  expect((await post(`${gateway.url}/stranger/mcp`, CALL)).text).toMatch(/certificate was not accepted/);
});

it('tells what the proxy refuses, which nobody has done', async () => {
  const { text } = await post(`${gateway.url}/refused/mcp`, CALL);
  expect(text).toContain('The proxy refused to connect to the server (HTTP 407)');
  expect(text).toContain('"executed":"no"');
  expect(text).toContain('"kind":"misconfigured"');
});

it('tells the same where it is spoken to in the open', async () => {
  const { text } = await post(`${gateway.url}/plain-refused/mcp`, CALL);
  expect(text).toContain('The proxy refused to connect to the server (HTTP 407)');
  expect(text).toContain('"executed":"no"');
  expect(text).toContain('"kind":"misconfigured"');
});

it('tells of a server that does not speak TLS', async () => {
  const { text } = await post(`${gateway.url}/plainly/mcp`, CALL);
  expect(text).toMatch(/The server does not speak TLS \(\w+\); its address may have to begin with http:/);
  expect(text).toContain('"executed":"no"');
});

it.each([
  ['https://a.example/', undefined, { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://a.example/', undefined, { https_proxy: 'p:1', HTTPS_PROXY: 'http://q:1' }, 'http://p:1/'],
  ['https://a.example/', undefined, { HTTP_PROXY: 'http://p:1' }, undefined],
  ['http://a.example/', undefined, { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://a.example/', undefined, { ALL_PROXY: 'http://p:1', NO_PROXY: 'b.example' }, 'http://p:1/'],
  ['https://a.example/', undefined, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'x, .example' }, undefined],
  ['https://a.example/', undefined, { HTTPS_PROXY: 'http://p:1', no_proxy: 'a.example:443' }, undefined],
  ['https://a.example/', undefined, { HTTPS_PROXY: 'http://p:1', no_proxy: 'a.example:8443' }, 'http://p:1/'],
  ['https://ba.example/', undefined, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example' }, 'http://p:1/'],
  ['https://a.example/', undefined, { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
  ['https://localhost/', undefined, { HTTPS_PROXY: 'http://p:1' }, undefined],
  ['https://localhost/', 'http://own:2', {}, 'http://own:2/'],
  ['https://a.example/', 'none', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ['https://a.example/', undefined, {}, undefined],
])('for %s, %s and %o the proxy is %s', (url, said, env, expected) => {
  expect(proxyFor(new URL(url), said, env as { [name: string]: string })?.href).toBe(expected);
});
