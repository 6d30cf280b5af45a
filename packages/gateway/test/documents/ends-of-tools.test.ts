/** A tool that ends with an error by which others agree on a revision: nobody is made to send its call again. */
import { language } from '@mayday/core';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ProtocolError, Server } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { serveStateless } from '../sdk-server.ts';
import { call, cleanUp, faultIn, json, later, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const SUPPORTED = { supported: ['2025-11-25'], requested: '2026-07-28' };
const DISAGREE =
  'Bad Request: the request headers and body disagree: the body carries region="eu" but the Mcp-Param-Region header is absent';

/** Sends one call of 2026-07-28 to a server that answers it so. */
async function told(status: number, error: object, dialect = 'mayday') {
  const server = await upstream((body, response) =>
    json(response, status, { jsonrpc: '2.0', id: JSON.parse(body).id, error }),
  );
  const gateway = await open({ upstreams: { shop: { url: server.url } } });
  const posted = await post(
    `${gateway.url}/shop/mcp`,
    call('tools/call', { name: 'pay', arguments: {}, _meta: META }),
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'pay',
      'mayday-dialect': dialect,
    },
  );
  const asked = server.seen.filter(({ body }) => body.includes('tools/call')).length;
  return { ...posted, asked };
}

type End = [code: number, message: string, data: object | undefined];

const ENDS: readonly End[] = [
  [-32020, 'Header mismatch', undefined],
  [-32020, 'Header mismatch: mail', undefined],
  [-32020, DISAGREE, undefined],
  [-32020, 'Payment booked as pay_991, receipt mail: header mismatch', undefined],
  [-32022, 'Unsupported protocol version', undefined],
  [-32022, 'Payment booked; mail server: unsupported protocol version', SUPPORTED],
];

describe.each<End>(ENDS)('a tool that ends with %i %s', (code, message, data) => {
  const error = { code, message, ...(data && { data }) };

  it('has failed, and may have been executed', async () => {
    const posted = await told(200, error);
    expect([posted.status, posted.asked, posted.message.result?.['isError']]).toEqual([200, 1, true]);
    expect(faultIn(posted)).toMatchObject({ executed: 'maybe', native: { code } });
    expect(posted.text).toContain(message.slice(0, 20));
  });

  it.each([
    'mcp',
    'mcp@2026-07-28',
    'mcp@draft',
    'closient',
    'onx',
    'erlmcp',
    'qaqnuz',
    'platica',
    'tool-failure',
  ])('and is told under no code of the negotiation in %s', async (dialect) => {
    const { status, message: answer } = await told(200, error, dialect);
    expect([status, answer.result?.['isError'] ?? answer.error?.code]).toEqual([
      200,
      dialect === 'erlmcp' ? expect.toSatisfy((n: number) => n !== -32020 && n !== code) : true,
    ]);
  });
});

describe.each([
  [-32020, 'Header mismatch', undefined],
  [-32020, 'Header mismatch: Mcp-Name header value "a" does not match body value "b"', undefined],
  [-32020, DISAGREE, { mismatch: { header: 'absent', body: 'eu' } }],
  [-32021, 'Missing required client capability', { requiredCapabilities: { sampling: {} } }],
  [-32022, 'Unsupported protocol version', SUPPORTED],
])('a server that refuses with HTTP 400 and %i %s', (code, message, data) => {
  const error = { code, message, ...(data && { data }) };

  it.each(['mayday', 'mcp'])('is passed on to the letter in %s', async (dialect) => {
    const { status, message: answer } = await told(400, error, dialect);
    expect([status, answer.error]).toEqual([400, error]);
  });
});

it.each(['mayday', 'qaqnuz', 'platica'])(
  'HTTP 400 with words about work is no negotiation in %s',
  async (dialect) => {
    const error = { code: -32020, message: 'Payment booked as pay_991; receipt mail: header mismatch' };
    const { status, message } = await told(400, error, dialect);
    expect([status, message.result?.['isError']]).toEqual([200, true]);
  },
);

it.each(['mayday', 'mcp', 'closient', 'onx', 'erlmcp'])(
  'in 2025-11-25 such a code is no negotiation: it is kept in %s, and nobody reads that nothing was executed',
  async (dialect) => {
    const error = { code: -32022, message: 'Unsupported protocol version', data: SUPPORTED };
    const server = await upstream((body, response) =>
      json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, error }),
    );
    const gateway = await open({ upstreams: { shop: { url: server.url } } });
    const asked = call('tools/call', { name: 'pay', arguments: {} });
    const { status, message } = await post(`${gateway.url}/shop/mcp`, asked, { 'mayday-dialect': dialect });
    expect([status, message.error?.code]).toEqual([200, -32022]);
    const read = language.read(message, { from: dialect });
    expect(read.failure && read.fault.executed).toBe('maybe');
    if (dialect === 'mcp')
      expect(message.error?.data).toEqual({ ...SUPPORTED, 'dev.mayday/error': { happened: 'maybe' } });
  },
);

it('a capability that is missing keeps its code and its status, and words of a refusal prove nothing', async () => {
  const posted = await told(200, { code: -32021, message: 'Invalid request' });
  expect([posted.status, posted.message.error?.code]).toEqual([400, -32021]);
  const read = language.read({ http: { status: 400, headers: {}, body: posted.text } });
  expect(read.failure && read.fault.executed).toBe('maybe');
});

describe.each(['/shop/mcp', '/mcp'])('the client of the SDK at %s', (path) => {
  it.each([-32020, -32022])('sends a call once whose tool ends with %i', async (code) => {
    let runs = 0;
    const { url } = await serveStateless(() => {
      const server = new Server({ name: 'shop', version: '1' }, { capabilities: { tools: {} } });
      const inputSchema = { type: 'object' } as const;
      server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'pay', inputSchema }] }));
      server.setRequestHandler('tools/call', () => {
        runs += 1;
        throw new ProtocolError(code, 'Header mismatch');
      });
      return server as never;
    });
    const gateway = await open({ upstreams: { shop: { url } } });
    const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}${path}`)));
    later(() => client.close());
    const name = path === '/mcp' ? 'shop_pay' : 'pay';
    await client.listTools();
    expect((await client.callTool({ name, arguments: {} })).isError).toBe(true);
    expect(runs).toBe(1);
  });
});
