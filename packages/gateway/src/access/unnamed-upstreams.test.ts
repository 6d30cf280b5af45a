/** Whoever may use nothing of a server does not hear of it either, by whatever door. */
import { afterEach, expect, it } from 'vitest';
import {
  call,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  type Posted,
  post,
  upstream,
} from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

const SECRET_DENIED = { refusals: 'opaque', rules: [{ deny: ['hidden/*'] }] } as const;

/** One server that answers, and one that nobody reaches. */
async function gatewayWith(access: SettingsFile['access']) {
  const asked: string[] = [];
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body);
    asked.push(method);
    const opened = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'a', version: '1' },
    };
    const listed = { tools: [{ name: 'look', inputSchema: { type: 'object' } }] };
    if (method === 'resources/read')
      return json(response, 200, {
        jsonrpc: '2.0',
        id,
        error: { code: -32002, message: 'Resource not found' },
      });
    json(response, 200, { jsonrpc: '2.0', id, result: method === 'initialize' ? opened : listed });
  });
  const gateway = await open({
    access,
    upstreams: { bank: { url }, hidden: { url: 'http://127.0.0.1:9/mcp' } },
  });
  const ask = (path: string, message: object): Promise<Posted> => post(`${gateway.url}${path}`, message);
  return { ask, asked };
}

it('names it in no list, no handshake and no refusal', async () => {
  const { ask } = await gatewayWith(SECRET_DENIED);
  const said = [
    await ask('/mcp', INITIALIZE),
    await ask('/mcp', call('tools/list', {})),
    await ask('/mcp', call('resources/read', { uri: 'x://none' })),
    await ask('/mcp', call('tools/call', { name: 'nothing', arguments: {} })),
    await ask('/nope/mcp', call('tools/list', {})),
  ];
  for (const { message } of said) expect(JSON.stringify(message)).not.toContain('hidden');
  expect(said[1]?.message).toMatchObject({ result: { tools: [{ name: 'bank_look' }] } });
  expect(faultIn(said[4] as Posted)).toMatchObject({
    message: 'Nothing is served here; try /mcp, /bank/mcp',
  });
});

it('says who denies it where refusals are explicit, and lists what is left', async () => {
  const { ask } = await gatewayWith({ rules: [{ deny: ['hidden/*'] }] });
  const listed = await ask('/mcp', call('tools/list', {}));
  expect(listed.message).toMatchObject({ result: { tools: [{ name: 'bank_look' }] } });
  expect(JSON.stringify(listed.message)).not.toContain('hidden');
  const refused = await ask('/mcp', call('tools/call', { name: 'hidden_x', arguments: {} }));
  expect(faultIn(refused)).toMatchObject({ kind: 'forbidden' });
  expect((await ask('/hidden/mcp', call('tools/call', { name: 'x', arguments: {} }))).status).not.toBe(404);
});

it.each([
  ['a rule denies all of it', { rules: [{ deny: ['*'] }] }, false],
  ['all is denied that no rule allows', { default: 'deny', rules: [{ allow: ['bank/*'] }] }, false],
  ['it needs a scope that the caller has not', { rules: [{ allow: ['hidden/*'], scopes: ['top'] }] }, false],
  ['other callers are denied', { rules: [{ deny: ['hidden/*'], callers: ['eve'] }] }, true],
  ['one thing of it is allowed first', { rules: [{ allow: ['hidden/one'] }, { deny: ['hidden/*'] }] }, true],
  ['one thing of it is denied', { rules: [{ deny: ['hidden/one'] }] }, true],
  ['a part of it is denied', { rules: [{ deny: ['hidden/*_all'] }] }, true],
  ['one may consent to it', { default: 'deny', rules: [{ allow: ['bank/*', 'hid*'] }] }, true],
] as const)('names it only to those who may use something of it: %s', async (_, access, isNamed) => {
  const { ask } = await gatewayWith({ refusals: 'opaque', ...access } as SettingsFile['access']);
  const { message } = await ask('/nope/mcp', call('tools/list', {}));
  expect(JSON.stringify(message).includes('/hidden/mcp')).toBe(isNamed);
});
