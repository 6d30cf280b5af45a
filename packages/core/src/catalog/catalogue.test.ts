import { expect, test } from 'vitest';
import { defineFault } from '../define.ts';
import { DIALECTS } from '../dialects/index.ts';
import { read } from '../index.ts';
import { KIND_NAMES } from '../kinds.ts';
import { buildCatalogue } from './catalogue.ts';

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
