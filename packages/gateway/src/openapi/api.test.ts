import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, json, settingsOf, upstream } from '../../test/tools.ts';
import type { OpenApiSettings } from '../settings/settings.ts';
import { type Api, keepApi } from './api.ts';

afterEach(cleanUp);

const folder = mkdtempSync(join(tmpdir(), 'mayday-'));

function settings(openapi: string, more = {}): OpenApiSettings {
  const file = { upstreams: { a: { openapi, base_url: 'http://127.0.0.1:9/', ...more } } };
  return settingsOf(file).upstreams.get('a') as OpenApiSettings;
}

function write(name: string, document: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document));
  return path;
}

const quiet = { onApi: () => undefined, onFailed: () => undefined };
const load = (openapi: string, more = {}): Promise<Api> => keepApi(settings(openapi, more), quiet).get();

const document = (operationId: string): object => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  servers: [{ url: 'https://{host}.example/v1', variables: { host: { default: 'api' } } }],
  paths: { '/x': { get: { operationId } } },
});

it('finds the API where its document says', async () => {
  const { title, version, baseUrl, tools } = await load(write('plain.json', document('one')), {
    base_url: undefined,
  });
  expect([title, version, baseUrl.href, [...tools.keys()]]).toEqual([
    'T',
    '1',
    'https://api.example/v1',
    ['one'],
  ]);
});

it.each<[string, string[] | undefined, object, string[]]>([
  [
    'names none',
    ['two', 'onne'],
    {},
    [
      'There is no operation two',
      'There is no operation onne; did you mean one?',
      'callers see no tool: operations names none of 1',
    ],
  ],
  ['names one', ['one', 'two'], {}, ['There is no operation two']],
  [
    'has none',
    undefined,
    { paths: {} },
    ['callers see no tool: the document has no operation that can be one'],
  ],
])('tells who %s why callers see no tool', async (_what, operations, more, told) => {
  const path = write('chosen.json', { ...document('one'), ...more });
  expect((await load(path, { operations })).notes).toEqual(told);
});

it('reads a changed document again, and tells when it cannot be used any more', async () => {
  const path = write('changing.json', document('one'));
  const names = async (): Promise<string[]> => [...(await load(path)).tools.keys()];
  expect(await names()).toEqual(['one']);
  expect(await names()).toEqual(['one']);
  write('changing.json', document('two'));
  expect(await names()).toEqual(['two']);
  write('changing.json', '{');
  await expect(names()).rejects.toMatchObject({
    name: 'ApiError',
    message: expect.stringContaining('neither JSON'),
  });
});

it('tries a document that could not be read again, but not for every call', async () => {
  const path = join(folder, 'late.json');
  const told: string[] = [];
  let now = 0;
  const api = keepApi(settings(path), {
    onApi: ({ tools }) => told.push(`${tools.size} tools`),
    onFailed: ({ message }) => told.push(message),
    now: () => now,
  });
  await expect(api.get()).rejects.toThrow('it cannot be read (ENOENT)');
  write('late.json', document('one'));
  now = 9_999;
  await expect(api.get()).rejects.toThrow('it cannot be read (ENOENT)');
  now = 10_000;
  expect([...(await api.get()).tools.keys()]).toEqual(['one']);
  expect(told).toEqual(['it cannot be read (ENOENT)', '1 tools']);
});

describe('a document that changes while it is used', () => {
  /** What is there, what was told, and the time. */
  function keep(openapi: string) {
    const time = { now: 0 };
    const told: string[] = [];
    const api = keepApi(settings(openapi), {
      onApi: ({ tools }, isOther) => told.push(`${[...tools.keys()]}${isOther ? ' now' : ''}`),
      onFailed: ({ message }, isKept) => told.push(`${message}${isKept ? ', kept' : ''}`),
      now: () => time.now,
    });
    const names = async (): Promise<string> => [...(await api.get()).tools.keys()].join();
    return { api, time, told, names };
  }

  it('is read again for a call that comes two seconds later; until it is there, what was before is used', async () => {
    const { names, time, told } = keep(write('used.json', document('one')));
    expect(await names()).toBe('one');
    write('used.json', document('other'));
    time.now = 1999;
    expect(await names()).toBe('one');
    await setTimeout(300);
    expect(await names()).toBe('one');
    time.now = 2000;
    expect(await names()).toBe('one');
    await expect.poll(names, { timeout: 10_000 }).toBe('other');
    expect(told).toEqual(['one', 'other now']);
  });

  it('is not taken for another when it says the same', async () => {
    const path = write('same.json', document('one'));
    const { names, time, told } = keep(path);
    expect(await names()).toBe('one');
    for (let i = 1; i <= 3; i++) {
      utimesSync(path, i, i);
      time.now += 2000;
      await names();
      await setTimeout(300);
    }
    expect(told).toEqual(['one']);
  });

  it('stays as it was where it cannot be read any more, which is told once', async () => {
    const path = write('breaking.json', document('one'));
    const { names, time, told } = keep(path);
    expect(await names()).toBe('one');
    for (const broken of ['{', '{"a":', '{']) {
      write('breaking.json', broken);
      time.now += 10_000;
      expect(await names()).toBe('one');
      await expect.poll(() => told.length, { timeout: 10_000 }).toBe(2);
      await setTimeout(300);
    }
    expect(await names()).toBe('one');
    write('breaking.json', document('mended'));
    const later = (): Promise<string> => {
      time.now += 10_000;
      return names();
    };
    await expect.poll(later, { timeout: 10_000 }).toBe('mended');
    expect(told).toEqual(['one', 'it is neither JSON nor YAML (line 1), kept', 'mended now']);
  });

  it('is fetched again every five minutes, and when it is asked for', async () => {
    let operationId = 'one';
    const fetched: number[] = [];
    const { url } = await upstream((_body, response) => {
      fetched.push(fetched.length);
      json(response, 200, document(operationId));
    });
    const { api, names, time } = keep(url);
    expect(await names()).toBe('one');
    operationId = 'two';
    time.now = 299_999;
    expect(await names()).toBe('one');
    await setTimeout(300);
    expect([await names(), fetched.length]).toEqual(['one', 1]);
    time.now = 300_000;
    await names();
    await expect.poll(names, { timeout: 10_000 }).toBe('two');
    operationId = 'three';
    api.look();
    await expect.poll(names, { timeout: 10_000 }).toBe('three');
  });
});

it.each<[string, unknown, string]>([
  ['another format', { swagger: '1.2', apis: [] }, 'it is no OpenAPI 3.0 or 3.1 document'],
  ['no document', '[]', 'it is no OpenAPI 3.0 or 3.1 document'],
  ['nothing', '', 'it is neither JSON nor YAML'],
  [
    'a bomb',
    `a: &a [x,x]\nb: &b [${'*a,'.repeat(9)}]\nc: [${'*b,'.repeat(9)}]`,
    'it is no OpenAPI 3.0 or 3.1 document',
  ],
  ['deep brackets', `a: ${'['.repeat(100_000)}`, 'it is neither JSON nor YAML'],
])('cannot use %s', async (_what, text, message) => {
  await expect(load(write('broken.yaml', text))).rejects.toMatchObject({
    message: expect.stringContaining(message),
  });
});

it('reads a large document beside everything else', async () => {
  const parameter = (i: number) => ({
    name: `p${i}`,
    in: 'query',
    schema: { $ref: '#/components/schemas/S' },
  });
  const operation = { parameters: Array.from({ length: 20 }, (_, i) => parameter(i)) };
  const paths = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`/x${i}`, { get: operation }]));
  const components = { schemas: { S: { type: 'object', properties: { a: { type: 'string' } } } } };
  const path = write('large.json', { ...document('x'), paths, components });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const { tools, listed } = await load(path);
  delay.disable();
  expect([tools.size, JSON.parse(listed.toString()).length]).toEqual([2000, 2000]);
  expect(delay.max / 1e6).toBeLessThan(1000);
});
