/** Whoever calls a tool that one server does not have is never led to the same tool of another. */
import { afterEach, expect, it } from 'vitest';
import { toolServer, toolsNamed } from '../../test/tool-server.ts';
import { call, callTool, cleanUp, faultIn, open, post } from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

type Upstreams = NonNullable<SettingsFile['upstreams']>;

const DEAD = { command: process.execPath, args: ['-e', 'process.exit(3)'] };

const WAYS: readonly (readonly [string, (all: Upstreams) => Upstreams])[] = [
  [
    'denied',
    ({ db1, ...rest }) => ({ db1: { ...db1, tools: { deny: ['write'] } } as Upstreams[string], ...rest }),
  ],
  ['gone from the file', ({ db1: _db1, ...rest }) => rest],
  ['dead', ({ db1: _db1, ...rest }) => ({ db1: DEAD, ...rest })],
];

async function house(change: (all: Upstreams) => Upstreams, discovery: 'full' | 'lazy') {
  const { url } = await toolServer(() => toolsNamed('write', 'die'));
  const upstreams = change({ db1: { url }, db2: { url }, db: { url, tools: { deny: ['write'] } } });
  const tools = Object.keys(upstreams).map((name) => `${name}/*`);
  const file: SettingsFile = {
    joined: { discovery },
    upstreams,
    virtual: { desk: { tools, deny: ['db1/write'], discovery } },
  };
  const gateway = await open(file);
  const places = ['/mcp', '/desk/mcp'].map((path) => gateway.url + path);
  for (const place of places) await post(place, call('tools/list'));
  return places;
}

it.each(WAYS)('where it is %s: in what is said of a call', async (_way, change) => {
  for (const place of await house(change, 'full')) {
    for (const name of ['db1_write', 'db_write', 'db1_wirte']) {
      const posted = await post(place, callTool(name));
      expect(faultIn(posted), name).toMatchObject({ executed: 'no' });
      expect(posted.text, name).not.toMatch(/db2_|Did you mean/);
    }
  }
});

it.each(WAYS)('where it is %s: in what is found, described and called', async (_way, change) => {
  for (const place of await house(change, 'lazy')) {
    const called = await post(place, callTool('call_tool', { name: 'db1_write', arguments: {} }));
    const described = await post(place, callTool('describe_tools', { names: ['db1_write'] }));
    expect(called.message.result).toMatchObject({ isError: true });
    expect(described.text).toContain('"unknown":[{"name":"db1_write"}]');
    expect(called.text + described.text).not.toContain('db2_');
  }
});

it('in what is said of an endpoint that there is none of', async () => {
  const { url } = await toolServer(() => toolsNamed('write'));
  const gateway = await open({
    joined: { enabled: false },
    upstreams: { db2: { url }, us: { url }, 'bank-b': { url } },
  });
  const advice = async (path: string) =>
    faultIn(await post(gateway.url + path, callTool('write')))?.['advice'];
  for (const path of ['/db1/mcp', '/eu/mcp', '/bank-a/mcp']) expect(await advice(path), path).toBeUndefined();
  expect(await advice('/bnak-b/mcp')).toBe('Did you mean /bank-b/mcp?');
});
