/** The document of an API is changed while the gateway runs: tools, checks and promises follow it, and calls under way do not. */
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Gateway, scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { eventsOf, faultOf, type Message, post, send } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call, initialize, tell } from './support/messages.ts';
import { ANY_BODY, openapiFile, operation } from './support/world.ts';

const SOON = { timeout: 15_000, interval: 200 };
const CHANGED = 'notifications/tools/list_changed';
const needed = (name: string): object => ({ name, in: 'query', required: true, schema: { type: 'string' } });
const BEFORE = { '/things': { get: operation('things') }, '/old': { get: operation('old') } };

let http: HttpPuppet;
let site: Server;
let served: object = {};
beforeAll(async () => {
  http = await startHttpPuppet();
  site = createServer((_request, response) => {
    response.end(JSON.stringify({ openapi: '3.1.0', info: { title: 'w', version: '1' }, paths: served }));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await http.close();
  site.close();
});

const settings = (folder: string, more: object = {}): object => ({
  upstreams: {
    api: {
      openapi: openapiFile(folder, BEFORE),
      base_url: `${http.origin}/api`,
      breaker: false,
      timeout_ms: 8000,
      ...more,
    },
    web: { openapi: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`, base_url: http.origin },
  },
});

const gateway = keepGateway(() => {
  const folder = scratch();
  served = { '/one': { get: operation('one') } };
  return startGateway(settings(folder), { folder });
});

async function tools(name: string, on: Gateway = gateway()): Promise<string[]> {
  const { message } = await post(at(on, name), ask('tools/list'));
  return (message['result']?.tools ?? []).map((tool: Message) => tool['name']).sort();
}

/** A client in a session, and what it is told there. */
async function session(name: string): Promise<{ id: string; told: () => string[]; leave: () => void }> {
  const opened = await post(at(gateway(), name), initialize());
  expect(opened.message['result'].capabilities.tools).toEqual({ listChanged: true });
  const id = String(opened.headers['mcp-session-id']);
  await post(at(gateway(), name), tell('notifications/initialized'), { session: id });
  const leaving = new AbortController();
  const heard: string[] = [];
  const onText = (text: string): void => void heard.push(text);
  const headers = { accept: 'text/event-stream' };
  send(at(gateway(), name), undefined, {
    session: id,
    headers,
    onText,
    signal: leaving.signal,
    within: 60_000,
  }).catch(() => undefined);
  return {
    id,
    told: () => eventsOf(heard.join('')).map((message) => message['method']),
    leave: () => leaving.abort(),
  };
}

it('tools that come and go are listed, checked and called as the document now says', async () => {
  const { folder } = gateway();
  openapiFile(folder, BEFORE);
  await expect.poll(() => tools('api'), SOON).toEqual(['old', 'things']);
  const own = await session('api');
  const joined = await session('');
  const slow = post(
    at(gateway(), 'api'),
    call('old', { script: JSON.stringify([{ wait: 5000 }, { head: 200 }, { say: '"done"' }]) }),
    { within: 20_000 },
  );
  openapiFile(folder, {
    '/things': { get: operation('things', [needed('kind')]) },
    '/new': { get: operation('new') },
  });
  await expect.poll(() => tools('api'), SOON).toEqual(['new', 'things']);
  expect(await tools('')).toEqual(expect.arrayContaining(['api_new', 'api_things', 'web_one']));
  expect(await tools('')).not.toContain('api_old');
  await expect.poll(() => [own.told(), joined.told()], SOON).toEqual([[CHANGED], [CHANGED]]);
  own.leave();
  joined.leave();
  for (const options of [{}, { session: own.id }]) {
    const unfit = await post(at(gateway(), 'api'), call('things'), options);
    expect(faultOf(unfit.message)).toMatchObject({ kind: 'invalid_arguments', executed: 'no' });
    const gone = await post(at(gateway(), 'api'), call('old'), options);
    expect(faultOf(gone.message)['kind']).toBe('not_found');
    const { message } = await post(at(gateway(), 'api'), call('new'), options);
    expect(message['result'].isError ?? false).toBe(false);
  }
  expect((await slow).message['result'].content[0].text).toBe('"done"');
  expect(gateway().log()).toMatch(/upstream=api the document has changed: 2 tools/);
});

it('what only read and now changes something is sent once', async () => {
  const { folder } = gateway();
  const failing = { script: JSON.stringify([{ head: 503, headers: { 'retry-after': '0' } }]) };
  openapiFile(folder, { '/swap': { get: operation('swap') } });
  await expect.poll(() => tools('api'), SOON).toEqual(['swap']);
  const before = http.arrivals.length;
  await post(at(gateway(), 'api'), call('swap', failing));
  expect(http.arrivals.length - before).toBeGreaterThan(1);
  openapiFile(folder, { '/swap': { post: operation('swap', [], ANY_BODY) }, '/b': { get: operation('b') } });
  await expect.poll(() => tools('api'), SOON).toEqual(['b', 'swap']);
  const between = http.arrivals.length;
  await post(at(gateway(), 'api'), call('swap', failing));
  expect(http.arrivals.slice(between).map(({ method }) => method)).toEqual(['POST']);
});

it('a document that cannot be read leaves the tools as they were, and the operator is told why', async () => {
  const { folder } = gateway();
  const file = openapiFile(folder, BEFORE);
  await expect.poll(() => tools('api'), SOON).toEqual(['old', 'things']);
  writeFileSync(file, '{ "openapi": "3.1.0", "paths": {');
  const said = gateway().log().length;
  const isTold = async (): Promise<[string[], string]> => [await tools('api'), gateway().log().slice(said)];
  const why = /upstream=api the document cannot be used: .*JSON.*; the tools stay as they were/;
  await expect.poll(isTold, SOON).toEqual([['old', 'things'], expect.stringMatching(why)]);
  openapiFile(folder, { '/mended': { get: operation('mended') } });
  await expect.poll(() => tools('api'), SOON).toEqual(['mended']);
});

it.each([
  ['the settings are read again', {}],
  ['other settings of the API are', { timeout_ms: 7777 }],
])('what is at a URL is fetched again when %s', async (_when, more) => {
  const word = `web${Object.keys(more).length}`;
  await tools('web');
  served = { [`/${word}`]: { get: operation(word) } };
  expect(await tools('web')).not.toContain(word);
  const { folder } = gateway();
  const next = settings(folder) as { upstreams: { web: object } };
  gateway().rewrite({ upstreams: { ...next.upstreams, web: { ...next.upstreams.web, ...more } } });
  process.kill(gateway().pid, 'SIGHUP');
  await expect.poll(() => tools('web'), SOON).toEqual([word]);
});
