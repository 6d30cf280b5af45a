/** What one caller meets at a server is nothing to the others. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, json, open, type Posted, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const KEYS = [
  { name: 'ann', key: 'ann-key-12345678' },
  { name: 'bob', key: 'bob-key-12345678' },
];
const ANN = { authorization: 'Bearer ann-key-12345678' };
const BOB = { authorization: 'Bearer bob-key-12345678' };
const TOOLS = ['do', 'read', 'other'];

/** A server that fails as its arguments say. */
async function obedient(): Promise<{ url: string }> {
  return await upstream((body, response, request) => {
    const { id, method, params } = JSON.parse(body || '{}') as {
      id?: number;
      method?: string;
      params?: { arguments?: { how?: string } };
    };
    const how = params?.arguments?.how;
    const text = how === 'fail' ? 'Request failed with status code 503' : 'fine';
    const result =
      method === 'initialize'
        ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } }
        : { content: [{ type: 'text', text }], isError: how === 'fail' };
    if (how === 'break') request.socket.destroy();
    else if (id === undefined) response.writeHead(body === '' ? 405 : 202).end();
    else if (how !== 'hang') json(response, 200, { jsonrpc: '2.0', id, result });
  });
}

let asked = 1;

const ask = (
  url: string,
  by: { readonly [name: string]: string },
  name: string,
  how: string,
): Promise<Posted> => post(url, call('tools/call', { name, arguments: { how } }, ++asked), by);

it.each([
  ['fail', '/web/mcp', ''],
  ['fail', '/mcp', 'web_'],
  ['break', '/web/mcp', ''],
  ['break', '/mcp', 'web_'],
  ['hang', '/web/mcp', ''],
  ['hang', '/mcp', 'web_'],
])('the calls of one that %s hold back no other’s, at %s', async (how, path, prefix) => {
  const web = {
    url: (await obedient()).url,
    retry: { attempts: 1 },
    timeout_ms: 200,
    breaker: { open_ms: 60_000 },
  };
  const gateway = await open({ keys: KEYS, upstreams: { web } });
  const url = `${gateway.url}${path}`;
  for (let round = 0; round < 18; round += 1) await ask(url, ANN, `${prefix}${TOOLS[round % 3]}`, how);
  const [held] = await Promise.all(TOOLS.map((tool) => ask(url, ANN, `${prefix}${tool}`, '')));
  expect(held?.text).toContain('left alone for now');
  for (const tool of TOOLS) {
    const { message } = await ask(url, BOB, `${prefix}${tool}`, '');
    expect(message.result).toMatchObject({ content: [{ type: 'text', text: 'fine' }] });
  }
});

it('silence in one session is nothing to another, where nobody has a key', async () => {
  const web = {
    url: (await obedient()).url,
    retry: { attempts: 1 },
    timeout_ms: 200,
    breaker: { open_ms: 60_000 },
  };
  const url = `${(await open({ upstreams: { web } })).url}/mcp`;
  const session = async () => ({
    'mcp-session-id': (await post(url, INITIALIZE)).headers.get('mcp-session-id') ?? '',
  });
  const [one, another] = [await session(), await session()];
  await Promise.all(TOOLS.flatMap((tool) => [1, 2, 3].map(() => ask(url, one, `web_${tool}`, 'hang'))));
  expect((await ask(url, one, 'web_new', '')).text).toContain('web has failed repeatedly');
  expect((await ask(url, another, 'web_new', '')).text).toContain('fine');
});
