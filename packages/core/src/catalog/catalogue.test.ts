import { expect, test } from 'vitest';
import { defineFault } from '../define.ts';
import type { Dialect, DialectId } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/index.ts';
import { read } from '../index.ts';
import { KIND_NAMES } from '../kinds.ts';
import { buildCatalogue, type CatalogueCode } from './catalogue.ts';
import { sourceOf } from './sources.ts';

const catalogue = buildCatalogue();

test('holds every kind once, in the order of the table', () => {
  expect(catalogue.kinds.map(({ kind }) => kind)).toEqual(KIND_NAMES);
});

test('holds every code of every dialect, and the alias of none', () => {
  const listed = new Set(catalogue.codes.map(({ source, code }) => `${source} ${code}`));
  const missing = DIALECTS.filter(({ id }) => id !== 'mcp').flatMap(({ id, codes }) =>
    codes.map(({ code }) => `${id} ${code}`).filter((key) => !listed.has(key)),
  );
  expect(missing).toEqual([]);
  expect(catalogue.codes.filter(({ source }) => source === 'mcp')).toEqual([]);
});

test('lists a source for every code, and codes for every source', () => {
  const used = new Set(catalogue.codes.map(({ source }) => source));
  expect([...used].sort()).toEqual(catalogue.sources.map(({ id }) => id).sort());
});

test('takes the declared retryability over the kind’s, and lets the reaction follow', () => {
  const find = (source: string, code: number) =>
    catalogue.codes.find((entry) => entry.source === source && entry.code === code);
  expect(find('closient', -32300)).toMatchObject({
    kind: 'internal',
    retryable: true,
    reaction: 'retryable',
  });
  expect(find('erlmcp', -32603)).toMatchObject({ kind: 'internal', retryable: false, reaction: 'terminal' });
});

test('agrees with what read makes of the exceptions of the SDKs', () => {
  const local = catalogue.codes.filter(
    ({ source, code }) => source === 'sdk-v2' && code !== 'REQUEST_TIMEOUT',
  );
  const readings = local.map(({ code }) => read({ thrown: { name: 'SdkError', code, message: 'x' } }));
  expect(readings.map((reading) => reading.failure && reading.fault.kind)).toEqual(
    local.map(({ kind }) => kind),
  );
});

test('takes the errors of an application as definitions and as results of defineFault', () => {
  const OrderNotFound = defineFault('ORDER_NOT_FOUND', {
    kind: 'not_found',
    subject: 'order',
    message: 'No such order',
    meaning: 'There is no such order',
  });
  const plain = {
    code: 5101,
    name: 'STOCK_LOW',
    kind: 'conflict',
    meaning: 'Not enough',
    retryable: true,
  } as const;
  const { codes } = buildCatalogue({ application: [OrderNotFound, plain] });
  expect(codes.filter(({ source }) => source === 'application')).toMatchObject([
    {
      code: 'ORDER_NOT_FOUND',
      kind: 'not_found',
      subject: 'order',
      title: 'There is no such order',
      retryable: false,
    },
    { code: 5101, name: 'STOCK_LOW', kind: 'conflict', retryable: true, reaction: 'retryable' },
  ]);
});

/** The barest message that carries a code the way its source does. */
function bareMessage({ source, code, title }: CatalogueCode): unknown {
  const error = { code, message: title };
  if (source === 'platica' && Number(code) > 0) {
    return { isError: true, content: [{ type: 'text', text: JSON.stringify({ code, error: title }) }] };
  }
  const inResult = source === 'closient' || (source === 'onx' && Number(code) > 0);
  return inResult ? { jsonrpc: '2.0', id: 1, result: { error } } : { jsonrpc: '2.0', id: 1, error };
}

test('says of every numbered code what read makes of it in its dialect', () => {
  const numbered = catalogue.codes.filter(
    ({ source, code }) => typeof code === 'number' && DIALECTS.some(({ id }) => id === source),
  );
  const differing = numbered.filter((entry) => {
    const reading = read(bareMessage(entry), { from: entry.source as DialectId });
    return !(
      reading.failure &&
      reading.fault.kind === entry.kind &&
      reading.fault.retryable === entry.retryable &&
      (reading.fault.subject?.type ?? null) === entry.subject
    );
  });
  expect(numbered.length).toBeGreaterThan(150);
  expect(differing).toEqual([]);
});

test.each([
  [
    {
      thrown: {
        name: 'McpError',
        code: -32001,
        message: 'MCP error -32001: Request timed out',
        data: { timeout: 60_000 },
      },
    },
    'RequestTimeout',
  ],
  [
    { thrown: { name: 'McpError', code: -32000, message: 'MCP error -32000: Connection closed' } },
    'ConnectionClosed',
  ],
  [
    {
      http: {
        status: 404,
        headers: {},
        body: { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } },
      },
    },
    'SessionNotFound',
  ],
])('agrees with what read makes of %j', (wire, name) => {
  const entry = catalogue.codes.find((code) => code.source === 'sdk-v1' && code.name === name);
  const reading = read(wire);
  expect(reading.failure && reading.fault).toMatchObject({ kind: entry?.kind });
  expect(reading.failure && (reading.fault.subject?.type ?? null)).toBe(entry?.subject);
});

test('says of what the SDKs raise where it comes from', () => {
  const ours = catalogue.codes.filter(({ source }) => source === 'sdk-v1');
  const raised = 'an exception McpError that your own client raises; the server did not say it';
  const answered = 'an HTTP answer of a server’s SDK transport';
  expect(ours.map(({ name, shape }) => [name, shape])).toEqual([
    ['RequestTimeout', raised],
    ['SessionNotFound', answered],
    ['ConnectionClosed', raised],
    ['TransportRejection', answered],
  ]);
});

test('says how to tell each source, and nothing of one that it does not know', () => {
  expect(sourceOf('sdk-v2')).toEqual({
    id: 'sdk-v2',
    title: 'TypeScript SDK v2',
    shape: 'an exception SdkError in your own client, with a string code',
    tell: 'never on the wire: the other end did not say it',
  });
  expect(sourceOf('http').shape).toBe('the status of an HTTP response');
  expect(sourceOf('http').tell).toBe('a number from 300 to 599 as status, or used as a code');
  expect(sourceOf('errno').shape).toBe('the code of an exception or of its cause');
  expect(sourceOf('errno').tell).toBe('upper-case letters, from Node, undici or the C library');
  expect(sourceOf('application').shape).toBe('the name of a fault');
  expect(sourceOf('application').tell).toBe('name, in every dialect that has a place for one');
  expect(sourceOf('sdk-v1').shape).toBe(
    'an exception McpError in your own client, or an answer of the HTTP transport',
  );
  expect(sourceOf('sdk-v1').tell).toBe('the message to the letter');
  expect(sourceOf('nobody')).toEqual({ id: 'nobody', title: 'nobody', shape: '', tell: '' });
});

test('leaves open what a dialect of your own does not say about itself', () => {
  const mine = { ...(DIALECTS.find(({ id }) => id === 'mayday') as Dialect), id: 'mine' };
  const { shape: _shape, tell: _tell, ...bare } = mine;
  const { codes, sources } = buildCatalogue({ dialects: [bare] });
  expect(sources[0]).toEqual({ id: 'mine', title: 'Mayday', shape: '', tell: '' });
  expect(codes.find(({ source }) => source === 'mine')).toMatchObject({ shape: '', tell: '' });
});
