/** Whose a resource is, a session has learned from lists: a reload that concerns another server does not take that away. */
import { afterEach, expect, it } from 'vitest';
import {
  call,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  post,
  settingsOf,
  upstream,
} from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly uri?: string; readonly ref?: { readonly uri?: string } };
}

/** Lists what it is given; reads, completes and takes subscriptions to whatever it is asked for, unless it `isStrict`. */
async function server(name: string, uris: readonly string[], { isStrict = false } = {}) {
  const { url, seen } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body) as Asked;
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    const uri = params?.uri ?? params?.ref?.uri ?? '';
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize')
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { resources: { subscribe: true }, completions: {} },
        serverInfo: { name, version: '1' },
      });
    else if (method === 'resources/list')
      answer({ resources: uris.map((each) => ({ name: each, uri: each })) });
    else if (method === 'resources/templates/list')
      answer({ resourceTemplates: [{ name: 't', uriTemplate: `${name}://{item}/t` }] });
    else if (isStrict && !uris.includes(uri))
      json(response, 200, {
        jsonrpc: '2.0',
        id,
        error: { code: -32002, message: `Resource not found: ${uri}` },
      });
    else if (method === 'resources/read') answer({ contents: [{ uri, text: `of ${name}` }] });
    else if (method === 'completion/complete') answer({ completion: { values: [`of ${name}`] } });
    else answer({});
  });
  /** Which of these it was asked for, by URI. */
  const asked = (method: string): readonly (string | undefined)[] =>
    seen
      .map(({ body }) => JSON.parse(body || '{}') as Asked)
      .flatMap((each) => (each.method === method ? [each.params?.uri] : []));
  return { url, asked };
}

async function house() {
  const one = await server('one', ['one://r']);
  const two = await server('two', ['two://r', 'two://s']);
  const file = (headers: { [name: string]: string }, more: Partial<SettingsFile> = {}): SettingsFile => ({
    upstreams: { one: { url: one.url, headers }, two: { url: two.url } },
    ...more,
  });
  const gateway = await open(file({}));
  const url = `${gateway.url}/mcp`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const ask = (method: string, params: object = {}) => post(url, call(method, params), session);
  await ask('resources/list');
  await ask('resources/templates/list');
  const reload = (next: SettingsFile): void => gateway.reload(settingsOf(next));
  return { one, two, file, ask, reload };
}

it.each([
  ['another server', { 'x-new': '1' }, {}],
  ['rules', {}, { access: { rules: [{ deny: ['one/none'] }] } }],
])('goes to its own server after a reload of %s', async (_, headers, more) => {
  const { one, two, file, ask, reload } = await house();
  reload(file(headers, more));
  reload(file({ ...headers, 'x-again': '1' }, more));
  expect((await ask('resources/read', { uri: 'two://r' })).text).toContain('of two');
  for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
    await ask(method, { uri: 'two://s' });
    expect([one.asked(method), two.asked(method)]).toEqual([[], ['two://s']]);
  }
  const ref = { type: 'ref/resource', uri: 'two://{item}/t' };
  const completed = await ask('completion/complete', { ref, argument: { name: 'item', value: '' } });
  expect(completed.text).toContain('of two');
});

it('is asked of the others where its server has it no more, or is gone', async () => {
  const { file, ask, reload } = await house();
  const strict = await server('two', [], { isStrict: true });
  const { upstreams } = file({});
  reload({ upstreams: { ...upstreams, two: { url: strict.url } } });
  expect((await ask('resources/read', { uri: 'two://r' })).text).toContain('of one');
  reload({ upstreams: { three: { url: strict.url }, one: upstreams['one'] ?? { url: '' } } });
  expect((await ask('resources/read', { uri: 'two://s' })).text).toContain('of one');
  expect((await ask('resources/read', { uri: 'two://9/t' })).text).toContain('of one');
  reload({ upstreams: { three: { url: strict.url }, four: { url: strict.url } } });
  expect(faultIn(await ask('resources/read', { uri: 'two://s' }))).toMatchObject({ kind: 'not_found' });
});
