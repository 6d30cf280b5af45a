/** HTTP APIs: an argument stays in its place, the document stays in its folder, and what changes something is sent once. */
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { faultOf, type Message, post } from './support/http.ts';
import { type Arrival, type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call } from './support/messages.ts';
import type { Step } from './support/puppet.ts';
import { ANY_BODY, openapiFile, operation } from './support/world.ts';

const CREDENTIAL = 'Bearer operators-own-0123456789';
const inPath = (name: string): object => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const PREFIX = 'anOperationWhoseIdentifierIsSoLongThatItHasToBeCutSomewhereAfterSixtyFour';
const PATHS = {
  '/users/{user}/keys/{key}': { delete: operation('removeKey', [inPath('user'), inPath('key')]) },
  '/files/{name}': { get: operation('readFile', [inPath('name')]) },
  '/tagged': {
    get: operation('tagged', [
      { name: 'X-Tag', in: 'header', schema: { type: 'string' } },
      { name: 'q', in: 'query', schema: { type: 'string' } },
    ]),
  },
  '/orders': {
    post: operation('order', [], ANY_BODY),
    put: operation('replaceOrder', [], ANY_BODY),
    patch: operation('changeOrder', [], ANY_BODY),
    delete: operation('cancelOrder', [], ANY_BODY),
  },
  '/numbers/{n}': {
    get: operation('number', [{ name: 'n', in: 'path', required: true, schema: { type: 'integer' } }]),
  },
  '/long/a': { get: operation(`${PREFIX}A`) },
  '/long/b': { get: operation(`${PREFIX}B`) },
  '/unnamed': { get: { ...operation('x'), operationId: undefined } },
};

const outside = scratch();
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet();
});
afterAll(async () => {
  await http.close();
  rmSync(outside, { recursive: true });
});

const gateway = keepGateway(() => {
  const folder = scratch();
  const api = {
    openapi: openapiFile(folder, PATHS),
    base_url: `${http.origin}/api`,
    headers: { authorization: CREDENTIAL },
  };
  return startGateway({ upstreams: { api: { ...api, timeout_ms: 1000, breaker: false } } }, { folder });
});

/** What one call sent to the API, and what the caller heard. */
async function sent(
  tool: string,
  args: object,
  endpoint = 'api',
): Promise<{ arrivals: Arrival[]; message: Message }> {
  const before = http.arrivals.length;
  const { message } = await post(at(gateway(), endpoint), call(tool, args));
  return { arrivals: http.arrivals.slice(before), message };
}

const TOOLS: [string, string][] = [
  ['api', ''],
  ['', 'api_'],
];

describe('a path argument cannot climb', () => {
  it.each([
    ['..'],
    ['.'],
    [''],
    ['../..'],
    ['..\\..'],
    ['%2e%2e'],
    ['%2E%2e'],
    ['.%2e'],
    ['../../admin'],
    ['x/../../admin'],
    ['..;/admin'],
    ['\u0000'],
    ['..\u0000'],
    ['\t..'],
    ['..\n'],
  ])('%j', async (key) => {
    for (const [endpoint, prefix] of TOOLS) {
      const { arrivals, message } = await sent(`${prefix}removeKey`, { user: '7', key }, endpoint);
      const strayed = arrivals.filter(
        ({ path }) => !/^\/api\/users\/7\/keys\/[^/?#]+$/.test(path) || climbs(path),
      );
      expect(strayed).toEqual([]);
      // Refused, or sent with the argument whole in its one segment.
      const refused =
        arrivals.length === 0 &&
        faultOf(message)['kind'] === 'invalid_arguments' &&
        faultOf(message)['origin'] === 'caller';
      const whole =
        arrivals.length === 1 && decodeURIComponent(arrivals[0]?.path.split('/').at(-1) ?? '') === key;
      expect([refused, whole]).toContain(true);
    }
  });

  it.each([['..'], ['.'], ['']])(
    '%j is refused as the caller’s mistake, with the field named',
    async (key) => {
      const { arrivals, message } = await sent('removeKey', { user: '7', key });
      expect(arrivals).toEqual([]);
      expect(faultOf(message)).toMatchObject({ kind: 'invalid_arguments', origin: 'caller', executed: 'no' });
      expect(message['result']?.content[0].text).toContain('key');
    },
  );

  it('and no other segment either', async () => {
    for (const user of ['..', '', '../..']) {
      const { arrivals } = await sent('removeKey', { user, key: 'k' });
      expect(arrivals.filter(({ path }) => !path.startsWith('/api/users/') || climbs(path))).toEqual([]);
    }
  });

  it.each([
    ['a/b', '/api/files/a%2Fb'],
    ['a?b=c', '/api/files/a%3Fb%3Dc'],
    ['a#b', '/api/files/a%23b'],
    ['a b', '/api/files/a%20b'],
    ['ü', '/api/files/%C3%BC'],
    ['a..b', '/api/files/a..b'],
    ['100%', '/api/files/100%25'],
  ])('while %j is one segment', async (name, path) => {
    const { arrivals } = await sent('readFile', { name });
    expect(arrivals.map((arrival) => arrival.path)).toEqual([path]);
    expect(arrivals[0]?.headers['authorization']).toBe(CREDENTIAL);
  });

  function climbs(path: string): boolean {
    return path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  }
});

describe('a header argument', () => {
  it.each([['\u0001'], ['a\r\nx-evil: 1'], ['\n'], ['\u0000'], ['\u007f']])(
    '%j is the caller’s mistake and nothing is sent',
    async (tag) => {
      const { arrivals, message } = await sent('tagged', { 'X-Tag': tag });
      expect(arrivals).toEqual([]);
      expect(faultOf(message)).toMatchObject({ kind: 'invalid_arguments', origin: 'caller', executed: 'no' });
    },
  );

  it('that can be carried is', async () => {
    const { arrivals } = await sent('tagged', { 'X-Tag': 'blue', q: 'a&b=c' });
    expect(arrivals.map(({ path, headers }) => [path, headers['x-tag']])).toEqual([
      ['/api/tagged?q=a%26b%3Dc', 'blue'],
    ]);
  });
});

describe('arguments that do not fit', () => {
  it.each([
    ['a missing one', 'readFile', {}, 'name'],
    ['a wrong type', 'number', { n: 'seven' }, 'n'],
    ['an unknown one', 'readFile', { name: 'a', nmae: 'b' }, 'nmae'],
  ])('%s is named and nothing is sent', async (_name, tool, args, field) => {
    const { arrivals, message } = await sent(tool, args);
    expect(arrivals).toEqual([]);
    expect(faultOf(message)['kind']).toBe('invalid_arguments');
    expect(message['result']?.content[0].text).toContain(field);
  });
});

describe.each(['order', 'replaceOrder', 'changeOrder', 'cancelOrder'])('%s is sent once', (tool) => {
  it.each([
    ['408', [{ head: 408 }]],
    ['429', [{ head: 429, headers: { 'retry-after': '0' } }]],
    ['500', [{ head: 500 }]],
    ['502', [{ head: 502 }]],
    ['503', [{ head: 503, headers: { 'retry-after': '0' } }]],
    ['504', [{ head: 504 }]],
    ['a reset', [{ reset: true }]],
    ['a cut body', [{ head: 200 }, { say: '{"a":' }, { wait: 20 }, { reset: true }]],
    ['silence', [{ hang: true }]],
  ] as [string, Step[]][])('after %s', async (_name, script) => {
    for (const [endpoint, prefix] of TOOLS) {
      const args = { script: JSON.stringify(script), body: { item: 1 } };
      const { arrivals, message } = await sent(`${prefix}${tool}`, args, endpoint);
      expect(arrivals).toHaveLength(1);
      expect(message['result']?.isError).toBe(true);
      expect(faultOf(message)['executed']).toBe('maybe');
    }
  });
});

it.each([
  ['order', 'POST'],
  ['replaceOrder', 'PUT'],
  ['changeOrder', 'PATCH'],
  ['cancelOrder', 'DELETE'],
])('%s is sent once where it is done, and its result cannot be looked at', async (tool, method) => {
  const failing = encodeURIComponent(JSON.stringify([{ head: 503, headers: { 'retry-after': '0' } }]));
  const done = [{ head: 303, headers: { location: `${http.origin}/api/result?script=${failing}` } }];
  const { arrivals, message } = await sent(tool, { script: JSON.stringify(done), body: { item: 1 } });
  expect(arrivals.map((arrival) => arrival.method)).toEqual([method, 'GET']);
  expect(faultOf(message)['executed']).not.toBe('no');
});

it('says of all that may replace or remove something that it may', async () => {
  const { message } = await post(at(gateway(), 'api'), ask('tools/list'));
  const tools: Message[] = message['result']?.tools;
  const destructive = tools.filter((tool) => tool['annotations'].destructiveHint).map((tool) => tool['name']);
  expect(destructive.sort()).toEqual(['cancelOrder', 'changeOrder', 'removeKey', 'replaceOrder']);
});

describe('every operation is a tool', () => {
  it('also where two names are cut to the same letters', async () => {
    for (const [endpoint, prefix] of TOOLS) {
      const { message } = await post(at(gateway(), endpoint), ask('tools/list'));
      const tools: Message[] = message['result']?.tools;
      expect(tools).toHaveLength(11);
      const names = tools.map((tool) => String(tool['name']));
      expect(new Set(names).size).toBe(11);
      expect(names.filter((name) => name.length > 64)).toEqual([]);
      const long = names.filter((name) => name.startsWith(`${prefix}anOperation`));
      const paths = await Promise.all(long.map((name) => sent(name, {}, endpoint)));
      expect(paths.flatMap(({ arrivals }) => arrivals.map(({ path }) => path))).toEqual(
        expect.arrayContaining(['/api/long/a', '/api/long/b']),
      );
    }
  });
});

describe('a document stays in its folder', () => {
  const SECRET = 'a-line-that-nobody-should-see';
  beforeAll(() => {
    writeFileSync(join(outside, 'secret.json'), JSON.stringify({ description: SECRET, type: 'string' }));
    writeFileSync(join(outside, 'secret.txt'), SECRET);
  });

  it.each([
    ['file://', () => `file://${join(outside, 'secret.json')}`],
    ['an absolute path', () => join(outside, 'secret.json')],
    ['a path that climbs', () => `../${basename(outside)}/secret.json`],
    ['file:// of a text', () => `file://${join(outside, 'secret.txt')}`],
    ['/etc/passwd', () => 'file:///etc/passwd'],
  ])('a $ref to %s shows nothing', async (_name, reference) => {
    const folder = scratch();
    const parameter = { name: 'q', in: 'query', schema: { $ref: reference() } };
    const file = openapiFile(folder, { '/echo': { get: operation('echo', [parameter]) } });
    const started = await startGateway(
      { upstreams: { o: { openapi: file, base_url: http.origin } } },
      { folder },
    ).catch((error: Error) => error);
    const seen = started instanceof Error ? { body: '' } : await post(at(started, 'o'), ask('tools/list'));
    const told = (): string => (started instanceof Error ? started.message : started.log());
    await expect.poll(() => told() + seen.body, { timeout: 2000 }).toMatch(/\$ref|refer|outside|document/i);
    const log = told();
    await (started instanceof Error ? undefined : started.stop('SIGKILL'));
    expect(seen.body).not.toContain(SECRET);
    expect(seen.body).not.toContain('root:');
    expect(log).not.toContain(SECRET);
  });

  it('while a file beside it is read', async () => {
    const folder = scratch();
    writeFileSync(
      join(folder, 'parts.json'),
      JSON.stringify({ word: { type: 'string', description: 'a shared word' } }),
    );
    const parameter = { name: 'q', in: 'query', schema: { $ref: './parts.json#/word' } };
    const file = openapiFile(folder, { '/echo': { get: operation('echo', [parameter]) } });
    const other = await startGateway(
      { upstreams: { o: { openapi: file, base_url: http.origin } } },
      { folder },
    );
    const { body } = await post(at(other, 'o'), ask('tools/list'));
    await other.stop('SIGKILL');
    expect(body).toContain('a shared word');
  });
});
