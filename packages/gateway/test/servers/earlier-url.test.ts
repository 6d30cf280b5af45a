/** A client of 2026-07-28 before a server over HTTP that knows the 2025 era alone: it is told so, wherever it asks. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'n', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** As the transports of SDK v1 have it, with sessions and without. */
const REFUSALS = [
  'Bad Request: Server not initialized',
  'Bad Request: Mcp-Session-Id header is required',
  'Bad Request: Unsupported protocol version: 2026-07-28 (supported versions: 2025-11-25, 2025-06-18)',
];
const PLACES = [
  ['/old/mcp', ''],
  ['/mcp', 'old_'],
  ['/desk/mcp', 'old_'],
] as const;

async function ask(url: string, method: string, params: { readonly name?: string }) {
  const { name } = params;
  return post(url, call(method, { ...params, _meta: META }), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  });
}

it.each(REFUSALS.flatMap((message) => PLACES.map(([path, prefix]) => [message, path, prefix] as const)))(
  '%s at %s (%s)',
  async (message, path, prefix) => {
    const { url: at } = await upstream((_body, response) =>
      json(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32000, message } }),
    );
    const { url } = await open({ upstreams: { old: { url: at } }, virtual: { desk: { tools: ['old/*'] } } });
    const told = {
      kind: 'unsupported',
      executed: 'no',
      subject: { type: 'upstream', id: 'old' },
      message: `${message}; the server speaks 2025-11-25, this client 2026-07-28`,
      advice: 'Open a session of 2025-11-25 with `initialize`.',
    };
    const called = await ask(url + path, 'tools/call', { name: `${prefix}slow` });
    expect(faultIn(called)).toMatchObject(told);
    expect(faultIn(await ask(url + path, 'tools/list', {}))).toMatchObject(told);
  },
);

it('is missing by name from the lists of several', async () => {
  const { url: at } = await upstream((_body, response) =>
    json(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: REFUSALS[0] } }),
  );
  const { url: fine } = await upstream((body, response) =>
    json(response, 200, {
      jsonrpc: '2.0',
      id: JSON.parse(body).id,
      result: { resultType: 'complete', tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
    }),
  );
  const { url } = await open({ upstreams: { old: { url: at }, fine: { url: fine } } });
  const { message } = await ask(`${url}/mcp`, 'tools/list', {});
  expect(message.result).toMatchObject({
    tools: [{ name: 'fine_look' }],
    _meta: { 'dev.mayday/unavailable': ['old'] },
  });
});
