/** Whatever a caller sends: every request is answered once, with its own id, and nothing is thrown. */
import { fileURLToPath } from 'node:url';
import { type FaultInit, language } from '@mayday/core';
import { peek, type Revision } from '@mayday/relay';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { cleanUp, json, later, settingsOf, upstream } from '../../test/tools.ts';
import type { OpenApiSettings } from '../settings/settings.ts';
import { keepApi } from './api.ts';
import { toolsListedIn } from './listed-tools.ts';
import { OpenApiLink } from './openapi-link.ts';

afterEach(cleanUp);

const DOCUMENT = fileURLToPath(new URL('../../test/shop.openapi.yaml', import.meta.url));

async function shopLink(): Promise<{ link: OpenApiLink; seen: readonly unknown[] }> {
  const { url, seen } = await upstream((_body, response) => json(response, 200, { fine: true }));
  const file = { upstreams: { shop: { openapi: DOCUMENT, base_url: url } } };
  const settings = settingsOf(file).upstreams.get('shop') as OpenApiSettings;
  const api = keepApi(settings, { onApi: () => undefined, onFailed: () => undefined });
  const link = new OpenApiLink({
    api: { ...api, whenChanged: () => () => undefined },
    onMessage: () => undefined,
    headers: {},
    query: {},
    origins: [],
    from: undefined,
    language,
    maxMessageBytes: 1e6,
    maxDepth: 64,
  });
  later(() => link.close());
  return { link, seen };
}

type End = { readonly answer: Buffer } | { readonly fault: FaultInit };

function ask(link: OpenApiLink, text: string, revision: Revision = '2025-11-25'): Promise<End> {
  const body = Buffer.from(text);
  return new Promise((resolve, reject) => {
    let ends = 0;
    const end = (how: End): void => {
      if (++ends > 1) reject(new Error('ended twice'));
      resolve(how);
    };
    const sink = {
      answered: (answer: Buffer) => end({ answer }),
      related: () => reject(new Error('nothing is related')),
      lost: (fault: FaultInit) => end({ fault }),
    };
    link.request({ body, peek: peek(body), revision }, sink);
  });
}

const call = (params: string, id = '1'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;

/** As deep as the door lets it through. */
const DEEP = `${'['.repeat(900)}${']'.repeat(900)}`;

it.each<[string, string, string]>([
  ['a name that is no text', call('{"name":{"toString":1}}'), 'invalid_arguments'],
  ['no name', call('{}'), 'invalid_arguments'],
  ['no parameters', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 'invalid_arguments'],
  ['an inherited name', call('{"name":"constructor"}'), 'not_found'],
  ['arguments that are a list', call('{"name":"getOrder","arguments":[]}'), 'invalid_arguments'],
  ['arguments that are nothing', call('{"name":"getOrder","arguments":null}'), 'invalid_arguments'],
  ['deep arguments', call(`{"name":"createOrder","arguments":{"body":${DEEP}}}`), 'invalid_arguments'],
  [
    'a deep key',
    call(
      `{"name":"createOrder","arguments":{"body":{"item":"x","quantity":1}},"_meta":{"dev.mayday/idempotency-key":${DEEP}}}`,
    ),
    'invalid_arguments',
  ],
  [
    'a key that is no header',
    call(
      '{"name":"createOrder","arguments":{"body":{"item":"x","quantity":1}},"_meta":{"dev.mayday/idempotency-key":"a\\nb"}}',
    ),
    'invalid_arguments',
  ],
  ['half a character', call('{"name":"getOrder","arguments":{"id":"A-\\ud800"}}'), 'invalid_arguments'],
  ['another method', '{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', 'unsupported'],
])('takes %s for a fault of the caller', async (_what, text, kind) => {
  const { link, seen } = await shopLink();
  expect(await ask(link, text)).toMatchObject({ fault: { kind } });
  expect(seen).toEqual([]);
});

it.each(['1', '-0', '1e3', '"\\ud800"', '"a\\u0022b"', '""'])(
  'answers %s with the same id, byte for byte',
  async (id) => {
    const { link } = await shopLink();
    const end = await ask(link, `{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
    expect('answer' in end && end.answer.toString()).toBe(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  },
);

it('knows no method that the revision does not have', async () => {
  const { link } = await shopLink();
  const end = await ask(link, '{"jsonrpc":"2.0","id":1,"method":"ping"}', '2026-07-28');
  expect(end).toMatchObject({ fault: { kind: 'unsupported', executed: 'no' } });
});

it('answers in the form of the revision', async () => {
  const { link } = await shopLink();
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const [old, modern] = await Promise.all([ask(link, list), ask(link, list, '2026-07-28')]);
  expect('answer' in old && Object.keys(JSON.parse(old.answer.toString()).result)).toEqual(['tools']);
  expect('answer' in modern && JSON.parse(modern.answer.toString()).result).toMatchObject({
    resultType: 'complete',
    ttlMs: 60_000,
    tools: [{ name: 'getOrder' }, { name: 'cancelOrder' }, { name: 'createOrder' }],
  });
});

it('knows what its lists say about tools, without reading them', async () => {
  const { link } = await shopLink();
  const end = await ask(link, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  const of = (name: string, annotations: object, more = {}) => ({
    name,
    annotations: { openWorldHint: true, ...annotations },
    ...more,
  });
  expect('answer' in end && toolsListedIn(end.answer)).toEqual([
    of('getOrder', { readOnlyHint: true, idempotentHint: true, destructiveHint: false }),
    of('cancelOrder', { readOnlyHint: false, idempotentHint: true, destructiveHint: true }),
    of(
      'createOrder',
      { readOnlyHint: false, idempotentHint: false, destructiveHint: false },
      { _meta: { 'dev.mayday/idempotency-key': true } },
    ),
  ]);
});

it('answers everything, once', async () => {
  const { link } = await shopLink();
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('..', '%2e', '\u0001', 'A-1'),
  );
  const value = fc.oneof(
    text,
    fc.jsonValue({ maxDepth: 3 }),
    fc.double(),
    fc.constantFrom({ toString: 1 }, [[]]),
  );
  const args = fc.dictionary(fc.constantFrom('id', 'fields', 'X-Trace', 'body', 'toString'), value);
  const message = fc.record({
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(text, fc.integer()),
    method: fc.constantFrom('tools/call', 'tools/call', 'tools/list', 'initialize', 'server/discover', 'x'),
    params: fc.oneof(
      value,
      fc.record({
        name: fc.oneof(fc.constantFrom('getOrder', 'cancelOrder', 'createOrder'), value),
        arguments: fc.oneof(args, value),
        _meta: fc.oneof(value, fc.record({ 'dev.mayday/idempotency-key': value })),
      }),
    ),
  });
  await fc.assert(
    fc.asyncProperty(message, async (said) => {
      const sent = JSON.stringify(said);
      const end = await ask(link, sent);
      if ('fault' in end) return typeof end.fault.kind === 'string' && end.fault.kind !== 'internal';
      return JSON.parse(end.answer.toString()).id === JSON.parse(sent).id;
    }),
    { numRuns: runs(1000) },
  );
});

it('says of what is cancelled while the document is still read that it was not sent', async () => {
  const { link, seen } = await shopLink();
  const body = Buffer.from(call('{"name":"getOrder","arguments":{"id":"o-1"}}'));
  const sink = { answered: () => undefined, related: () => undefined, lost: () => undefined };
  expect(link.request({ body, peek: peek(body), revision: '2025-11-25' }, sink)('enough')).toBe('unsent');
  await ask(link, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  expect(seen).toEqual([]);
});
