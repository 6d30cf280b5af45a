/** What a client of the joined endpoint has asked for once holds after a reload, and it hears of changes where there are any. */
import { afterEach, expect, it } from 'vitest';
import type { SettingsFile } from '../../src/index.ts';
import { call, cleanUp, INITIALIZE, json, open, post, settingsOf, until, upstream } from '../tools.ts';

afterEach(cleanUp);

/** A process that tells what it is told. */
const PROCESS = `
import { createInterface } from 'node:readline';
const serverInfo = { name: 's', version: '1' };
const result = { protocolVersion: '2025-11-25', capabilities: { resources: { subscribe: true }, logging: {} }, serverInfo, resources: [{ uri: 's://1', name: '1' }], tools: [] };
createInterface({ input: process.stdin }).on('line', (line) => {
  void fetch(process.argv[1], { method: 'POST', body: line });
  const { id } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});
`;

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly uri?: string; readonly level?: string };
}

async function house() {
  const heard: string[] = [];
  const note = (name: string, { method, params }: Message): void => {
    const about = params?.uri ?? params?.level;
    heard.push(`${name} ${method}${about === undefined ? '' : ` ${about}`}`);
  };
  const { url } = await upstream((body, response, request) => {
    if (request.method !== 'POST') response.writeHead(405).end();
    else if (request.url === '/heard') {
      note('s', JSON.parse(body));
      response.end();
    } else {
      const message = JSON.parse(body) as Message;
      note('u', message);
      const serverInfo = { name: 'u', version: '1' };
      const capabilities = { resources: { subscribe: true }, logging: {} };
      const resources = [{ uri: 'u://1', name: '1' }];
      const result = { protocolVersion: '2025-11-25', capabilities, serverInfo, resources, tools: [] };
      if (message.id === undefined) response.writeHead(202).end();
      else json(response, 200, { jsonrpc: '2.0', id: message.id, result });
    }
  });
  const u = { url };
  const args = ['--input-type=module', '-e', PROCESS, new URL('/heard', url).href];
  const s = { command: process.execPath, args };
  const gateway = await open({ upstreams: { u, s } });
  const at = `${gateway.url}/mcp`;
  const id = (await post(at, INITIALIZE)).headers.get('mcp-session-id') ?? '';
  const as = { 'mcp-session-id': id };
  await post(at, { jsonrpc: '2.0', method: 'notifications/initialized' }, as);
  const ask = (method: string, params: object = {}) => post(at, call(method, params), as);
  await ask('resources/list');
  for (const uri of ['u://1', 's://1']) await ask('resources/subscribe', { uri });
  await ask('logging/setLevel', { level: 'warning' });
  await until(() => heard.filter((line) => line.endsWith(' warning')).length === 2);
  heard.splice(0);
  const reload = (file: SettingsFile): void => gateway.reload(settingsOf(file));
  return { at, as, ask, heard, reload, u, s };
}

const AGAIN = [
  's initialize',
  's logging/setLevel warning',
  's notifications/initialized',
  's resources/subscribe s://1',
  'u initialize',
  'u logging/setLevel warning',
  'u notifications/initialized',
  'u resources/subscribe u://1',
];

it('tells servers that are opened anew what lasts, before anybody calls', async () => {
  const { heard, reload, u, s } = await house();
  reload({ upstreams: { u: { ...u, headers: { 'x-a': 'b' } }, s: { ...s, cwd: '/' } } });
  await until(() => heard.length >= AGAIN.length);
  expect(heard.toSorted()).toEqual(AGAIN);
  heard.splice(0);
  reload({ upstreams: { u: { ...u, headers: { 'x-a': 'c' } }, s: { ...s, cwd: '/tmp' } } });
  await until(() => heard.length >= AGAIN.length);
  expect(heard.toSorted()).toEqual(AGAIN);
});

it('tells a server that was away, and one that is new', async () => {
  const { ask, heard, reload, u, s } = await house();
  reload({ upstreams: { u } });
  reload({ upstreams: { u, s, more: { ...u } } });
  await until(() => heard.length >= 4);
  expect(heard.toSorted()).toEqual(AGAIN.slice(0, 4));
  heard.splice(0);
  await ask('tools/list');
  await until(() => heard.includes('u logging/setLevel warning'));
  expect(heard.filter((line) => line.includes('subscribe'))).toEqual([]);
});

it('tells a client of changes when its lists may be others', async () => {
  const { at, as, reload, u, s } = await house();
  const standing = await fetch(at, { headers: { ...as, accept: 'text/event-stream' } });
  let text = '';
  void standing.body
    ?.pipeTo(
      new WritableStream({
        write: (chunk: Uint8Array) => {
          text += Buffer.from(chunk).toString();
        },
      }),
    )
    .catch(() => undefined);
  const told = async (file: SettingsFile): Promise<boolean> => {
    text = '';
    reload(file);
    await new Promise((resolve) => setTimeout(resolve, 400));
    return text.includes('list_changed');
  };
  const upstreams = { u, s };
  expect(await told({ upstreams: { u: { ...u, timeout_ms: 3000 }, s: { ...s, timeout_ms: 3000 } } })).toBe(
    false,
  );
  expect(await told({ upstreams: { u: { ...u, dialect: 'mcp' }, s } })).toBe(false);
  expect(await told({ upstreams, sessions: { idle_ms: 99_999 } })).toBe(false);
  expect(await told({ upstreams, dialect: 'onx' })).toBe(false);
  expect(await told({ upstreams, joined: { separator: '.' } })).toBe(true);
  expect(await told({ upstreams, joined: { separator: '.', part_timeout_ms: 3000 } })).toBe(false);
  expect(await told({ upstreams: { s, u }, joined: { separator: '.' } })).toBe(true);
  expect(await told({ upstreams: { s }, joined: { separator: '.' } })).toBe(true);
  expect(await told({ upstreams: { s: { ...s, cwd: '/' } }, joined: { separator: '.' } })).toBe(true);
});
