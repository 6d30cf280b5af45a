/** Servers over HTTP that cannot be opened: whoever reads the fault knows which, and what to do. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, INITIALIZE, later, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

async function faults(url: string, more: object = {}) {
  const gateway = await open({ upstreams: { web: { url, retry: { attempts: 1 }, ...more } } });
  const own = await post(`${gateway.url}/web/mcp`, INITIALIZE);
  const { headers } = await post(`${gateway.url}/mcp`, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const joined = await post(`${gateway.url}/mcp`, callTool('web_go'), session);
  return [faultIn(own), faultIn(joined)];
}

async function page(status: number, headers: { [name: string]: string }, body: string): Promise<string> {
  const { url } = await upstream((_body, response) => response.writeHead(status, headers).end(body));
  return url;
}

async function selfSigned(): Promise<string> {
  const file = (name: string): Buffer => readFileSync(new URL(`../certificates/${name}`, import.meta.url));
  const server = createServer({ key: file('first.key.pem'), cert: file('first.cert.pem') });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  later(() => server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const HTML = '<html><title>Log in</title></html>';

it.each<[string, () => Promise<string>, RegExp]>([
  [
    'nobody listens',
    async () => 'http://127.0.0.1:9/mcp?key=k3y-0f-m1ne',
    /^Start the server, or correct the port/,
  ],
  [
    'no such host',
    async () => 'http://no-such-host.invalid/mcp',
    /^Correct the name of the host|^Look at the network/,
  ],
  ['a page', () => page(200, { 'content-type': 'text/html' }, HTML), /^Correct `url` of this server/],
  ['a certificate of its own', selfSigned, /`ca` of this server/],
  ['TLS, asked without it', async () => (await selfSigned()).replace('https:', 'http:'), /begin with https:/],
  [
    'TLS, asked without it, which its proxy says',
    () => page(400, {}, '<html><h1>400 The plain HTTP request was sent to HTTPS port</h1></html>'),
    /^Let `url` of this server begin with https:/,
  ],
])('%s', async (_name, address, advice) => {
  const url = await address();
  for (const fault of await faults(url)) {
    expect(fault).toMatchObject({ executed: 'no', advice: expect.stringMatching(advice) });
    expect(fault?.['message']).toContain(new URL(url).origin);
    expect(JSON.stringify(fault)).not.toContain('k3y-0f-m1ne');
  }
});

it('a login: what to do, and to strangers not where it is', async () => {
  const url = await page(401, { 'www-authenticate': 'Bearer resource_metadata="https://a.example/x"' }, '');
  const advice =
    /which the gateway does not do: put a credential under `headers` of this server in `mayday.yaml` \(`mayday wrap` takes none/;
  for (const fault of await faults(url)) {
    expect(fault).toMatchObject({ executed: 'no', advice: expect.stringMatching(advice) });
    expect(JSON.stringify(fault)).not.toContain(new URL(url).port);
  }
});

it('has another word for a credential that was given', async () => {
  const url = await page(401, {}, '');
  for (const fault of await faults(url, { headers: { authorization: 'Bearer 0ld-t0ken-0f-m1ne' } }))
    expect(fault).toMatchObject({ advice: 'Correct the credential under `headers` of this server.' });
});

it('silence, for as long as `open_timeout_ms` in all, and then at once', async () => {
  const { url } = await upstream(() => {
    // It takes every request, and answers none.
  });
  const gateway = await open({
    upstreams: { web: { url, open_timeout_ms: 2000 } },
    virtual: { desk: { tools: ['web/go'] } },
  });
  const told = {
    kind: 'timeout',
    executed: 'no',
    message: expect.stringContaining(new URL(url).origin),
    details: { address: new URL(url).origin },
    advice: expect.stringMatching(/^Check that this server runs/),
  };
  expect(faultIn(await post(`${gateway.url}/web/mcp`, INITIALIZE))).toMatchObject(told);
  for (const path of ['/mcp', '/desk/mcp']) {
    const { headers } = await post(`${gateway.url}${path}`, INITIALIZE);
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    for (const from of [session, {}]) {
      const spans: number[] = [];
      for (let i = 0; i < 2; i++) {
        const since = Date.now();
        const fault = faultIn(await post(`${gateway.url}${path}`, callTool('web_go'), from));
        spans.push(Date.now() - since);
        expect(fault).toMatchObject(told);
      }
      expect(spans[0]).toBeLessThan(4500);
      expect(spans[1]).toBeLessThan(1900);
    }
  }
});
