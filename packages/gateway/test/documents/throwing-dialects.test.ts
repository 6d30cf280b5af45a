/** Dialects of somebody's own that throw while they read cost nobody anything, and the operator is told. */
import { type Dialect, language } from '@mayday/core';
import { afterEach, describe, expect, it } from 'vitest';
import { startGateway } from '../../src/index.ts';
import { callTool, cleanUp, json, later, post, settingsOf, upstream } from '../tools.ts';

afterEach(cleanUp);

function throwing(verb: 'recognise' | 'read' | 'fails'): Dialect {
  const mayday = language.dialect('mayday');
  const explode = (): never => {
    throw new Error('explode token=sk-live-4f9a8b7c6d5e4f3a2b1c');
  };
  return { ...mayday, id: 'evil', recognise: () => 0.9, read: () => undefined, [verb]: explode };
}

it.each(['recognise', 'read', 'fails'] as const)('%s', async (verb) => {
  const { url } = await upstream((body, response) => {
    const { id, params } = JSON.parse(body) as { id: number; params: { name: string } };
    const isError = params.name === 'busy';
    const content = [{ type: 'text', text: isError ? 'Rate limit exceeded' : 'fine' }];
    json(response, 200, { jsonrpc: '2.0', id, result: { content, isError } });
  });
  const logs: string[] = [];
  const gateway = await startGateway(settingsOf({ upstreams: { shop: { url, retry: { attempts: 1 } } } }), {
    language: language.with(throwing(verb)),
    onLog: (line) => logs.push(line),
  });
  later(() => gateway.close(500));
  for (let again = 0; again < 3; again += 1) {
    const busy = await post(`${gateway.url}/shop/mcp`, callTool('busy'));
    expect(busy.message.result?._meta?.['dev.mayday/fault']).toMatchObject({ kind: 'rate_limited' });
    const fine = await post(`${gateway.url}/shop/mcp`, callTool('fine'));
    expect(fine.text).toContain('fine');
    expect(fine.text).not.toContain('dev.mayday/fault');
  }
  const told = logs.filter((line) =>
    line.startsWith(`dialect=evil threw, its ${verb} was passed over: Error: `),
  );
  expect(told).toHaveLength(1);
  expect(logs.join()).not.toContain('sk-live');
});

/** A server that has no time for anybody. */
const busy: Parameters<typeof upstream>[0] = (body, response) => {
  const { id } = JSON.parse(body) as { id: number };
  const result = { content: [{ type: 'text', text: 'Rate limit exceeded' }], isError: true };
  json(response, 200, { jsonrpc: '2.0', id, result });
};

describe('what `write` gives is checked', () => {
  const error = { code: -32800, message: 'busy' };
  const wires: readonly (readonly [what: string, wire: (id: unknown) => unknown])[] = [
    ['a promise', () => Promise.resolve({ jsonrpc: '2.0', id: 1, error })],
    ['a promise that is rejected', () => Promise.reject(new Error('table not loaded'))],
    ['the id of another request', () => ({ jsonrpc: '2.0', id: 999, error })],
    ['the id as text', (id) => ({ jsonrpc: '2.0', id: String(id), error })],
    ['no id', () => ({ jsonrpc: '2.0', error })],
    ['no version', (id) => ({ id, error })],
    ['a code that is no number', (id) => ({ jsonrpc: '2.0', id, error: { code: 'NaN', message: 'busy' } })],
    ['a broken code', (id) => ({ jsonrpc: '2.0', id, error: { code: 1.5, message: 'busy' } })],
    ['no message', (id) => ({ jsonrpc: '2.0', id, error: { code: -32800 } })],
    ['neither error nor result', (id) => ({ jsonrpc: '2.0', id })],
    ['both', (id) => ({ jsonrpc: '2.0', id, error, result: { content: [] } })],
    ['a list for a result', (id) => ({ jsonrpc: '2.0', id, result: [] })],
    ['a status that is none', () => ({ http: { status: 99, headers: {}, body: {} } })],
    ['a header that is none', () => ({ http: { status: 503, headers: { 'a b': 'c' }, body: {} } })],
  ];
  const rejected: unknown[] = [];
  const onRejected = (reason: unknown): void => void rejected.push(reason);

  it.each(wires)('%s', async (_what, wire) => {
    process.on('unhandledRejection', onRejected);
    later(async () => void process.off('unhandledRejection', onRejected));
    const { url } = await upstream(busy);
    const acme = {
      id: 'acme',
      title: 'Acme',
      codes: [],
      recognise: () => 0,
      read: () => undefined,
      write: (_fault: unknown, { id }: { id?: unknown }) => ({ wire: wire(id) }),
    } as unknown as Dialect;
    const logs: string[] = [];
    const gateway = await startGateway(settingsOf({ upstreams: { shop: { url, retry: { attempts: 1 } } } }), {
      language: language.with(acme),
      onLog: (line) => logs.push(line),
    });
    later(() => gateway.close(500));
    const { message } = await post(`${gateway.url}/shop/mcp`, callTool('busy'), { 'mayday-dialect': 'acme' });
    expect(message).toMatchObject({ jsonrpc: '2.0', id: 1 });
    expect(message.result?._meta?.['dev.mayday/fault']).toMatchObject({ kind: 'rate_limited' });
    await new Promise((done) => setTimeout(done, 20));
    expect(rejected).toEqual([]);
    const told = logs.filter((line) =>
      line.startsWith('dialect=acme threw, mayday was spoken in its place: '),
    );
    expect(told).toHaveLength(1);
  });
});

const VERBS = ['write', 'form', 'asSaid', 'recognise', 'read', 'fails', 'usualWaitMs'] as const;

describe('a promise in the place of an answer', () => {
  const rejected: unknown[] = [];
  const onRejected = (reason: unknown): void => void rejected.push(reason);

  it.each(VERBS)('%s', async (verb) => {
    process.on('unhandledRejection', onRejected);
    later(async () => void process.off('unhandledRejection', onRejected));
    const { url } = await upstream(busy);
    const acme: Dialect = {
      id: 'acme',
      title: 'Acme',
      codes: [],
      recognise: () => 0.9,
      read: () => undefined,
      write: (_fault, { id }) => ({ wire: { jsonrpc: '2.0', id: id ?? null, result: { content: [] } } }),
      [verb]: async () => {
        throw new Error('table not loaded');
      },
    };
    const logs: string[] = [];
    const gateway = await startGateway(settingsOf({ upstreams: { shop: { url, retry: { attempts: 1 } } } }), {
      language: language.with(acme),
      onLog: (line) => logs.push(line),
    });
    later(() => gateway.close(500));
    for (let again = 0; again < 3; again += 1) {
      const { status, message } = await post(`${gateway.url}/shop/mcp`, callTool('busy'), {
        'mayday-dialect': 'acme',
      });
      expect(status).toBe(200);
      expect(message).toMatchObject({ jsonrpc: '2.0', id: 1 });
      expect(Array.isArray(message.result?.['content'])).toBe(true);
    }
    await new Promise((done) => setTimeout(done, 20));
    expect(rejected).toEqual([]);
    const told = logs.filter((line) => line.startsWith('dialect=acme threw, '));
    expect(told.length).toBeLessThanOrEqual(1);
    expect(told.join()).not.toContain('table not loaded');
  });

  it('is told once a minute, and the answer is ours', async () => {
    const { url } = await upstream((body, response) => {
      const { id } = JSON.parse(body) as { id: number };
      json(response, 200, { jsonrpc: '2.0', id, result: { content: [], isError: true } });
    });
    const mayday = language.dialect('mayday');
    const write = (): never => {
      throw new Error('no table');
    };
    const logs: string[] = [];
    const gateway = await startGateway(settingsOf({ upstreams: { shop: { url } } }), {
      language: language.with({ ...mayday, id: 'acme', write }),
      onLog: (line) => logs.push(line),
    });
    later(() => gateway.close(500));
    for (let again = 0; again < 3; again += 1) {
      const said = await post(`${gateway.url}/shop/mcp`, callTool('busy'), { 'mayday-dialect': 'acme' });
      expect(said.message.result?._meta?.['dev.mayday/fault']).toMatchObject({ kind: 'unknown' });
    }
    const told = logs.filter((line) =>
      line.startsWith('dialect=acme threw, mayday was spoken in its place: '),
    );
    expect(told).toHaveLength(1);
  });
});
