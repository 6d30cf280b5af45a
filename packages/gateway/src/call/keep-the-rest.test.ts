/** Nothing that a server says is lost, whatever its form: through a running gateway, in several dialects. */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const DIALECTS = ['mayday', 'mcp', 'onx', 'closient', 'erlmcp', 'problem'];

/** What the caller reads when the server answers like this. */
async function heard(
  dialect: string,
  answer: (response: ServerResponse, id: unknown) => void,
): Promise<string> {
  const { url } = await upstream((body, response) =>
    answer(response, (JSON.parse(body) as { id?: unknown }).id),
  );
  const gateway = await open({ upstreams: { a: { url, retry: { attempts: 1 } } } });
  const headers = { 'mayday-dialect': dialect };
  return (await post(`${gateway.url}/a/mcp`, callTool('book', {}), headers)).text;
}

const error = (said: unknown, beside: object = {}) => ({ error: said, ...beside });
const result = (said: object) => ({ result: { isError: true, ...said } });

describe.each(DIALECTS)('in %s', (dialect) => {
  it.each<[string, object, readonly string[]]>([
    ['an error that is a text', error('No seat is left'), ['No seat is left']],
    ['an error that is a list', error(['No seat', { free: 'Friday' }]), ['No seat', 'Friday']],
    ['a code that is a text', error({ code: 'NO_SEAT', message: 'No seat' }), ['NO_SEAT', 'No seat']],
    ['a code of its own', error({ code: -32050, message: 'No seat' }), ['-32050', 'No seat']],
    ['a message that is an object', error({ code: -32000, message: { text: 'No seat' } }), ['No seat']],
    ['a hint', error({ code: -32602, message: 'No seat', hint: 'Try Friday' }), ['No seat', 'Try Friday']],
    [
      'words beside the error',
      error({ code: -32000, message: 'No seat' }, { _meta: { free: 'Friday' } }),
      ['Friday'],
    ],
    [
      'data that looks like a fault',
      error({
        code: -32000,
        message: 'No seat',
        data: { kind: 'conflict', message: 'Full', details: { free: 'Friday' } },
      }),
      ['No seat', 'Full', 'Friday'],
    ],
    ['content that is a text', result({ content: 'No seat' }), ['No seat']],
    ['content that is one block', result({ content: { type: 'text', text: 'No seat' } }), ['No seat']],
    ['no content', result({ message: 'No seat' }), ['No seat']],
    [
      'an error in the result',
      { result: { content: [], error: { code: 2001, message: 'No seat', details: { free: 'Friday' } } } },
      ['2001', 'No seat', 'Friday'],
    ],
    [
      'blocks of all sorts',
      result({
        content: [
          { type: 'text', text: 'No seat' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        ],
        structuredContent: { free: 'Friday' },
        _meta: { 'com.example/run': 4711 },
      }),
      ['No seat', 'aGk=', 'Friday', '4711'],
    ],
  ])('keeps %s', async (_what, said, words) => {
    const text = await heard(dialect, (response, id) => json(response, 200, { jsonrpc: '2.0', id, ...said }));
    for (const word of words) expect(text).toContain(word);
  });

  const BODY = { title: 'No seat', detail: 'none is left', free_on: 'Friday', nested: { why: ['holiday'] } };
  it.each([
    ...[400, 404, 409, 422, 429, 500, 502, 503, 200].map(
      (status) => [status, 'application/json', BODY] as const,
    ),
    [409, 'application/problem+json', BODY] as const,
    [500, 'application/json', { error: { code: 'NO_SEAT', message: 'No seat', ...BODY } }] as const,
    [
      200,
      'application/json',
      { isError: true, content: [{ type: 'text', text: JSON.stringify(BODY) }] },
    ] as const,
  ])('keeps the body of HTTP %i %s', async (status, type, body) => {
    const text = await heard(dialect, (response) => {
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
    });
    for (const word of ['No seat', 'none is left', 'Friday', 'holiday']) expect(text).toContain(word);
  });

  const MEMBERS = {
    charged: true,
    refunded: false,
    at: null,
    step: 1,
    of: 0,
    balance: 12,
    extra: 'no',
    account: 'seat',
    attempts: 1,
    kind: 'conflict',
    none: [],
    a: { b: { c: 1 } },
  };
  const NAMES = Object.keys(MEMBERS);

  it.each<[string, number, (id: unknown) => object]>([
    ['a body', 500, () => ({ message: 'No seat, balance 12, 1 of 0', ...MEMBERS })],
    ['an error in a body', 409, () => ({ error: { message: 'No seat, balance 12', ...MEMBERS } })],
    [
      'the data of an error',
      200,
      (id) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: 'No seat', data: MEMBERS } }),
    ],
    [
      'structured content',
      200,
      (id) => ({
        jsonrpc: '2.0',
        id,
        result: {
          isError: true,
          content: [{ type: 'text', text: 'No seat' }],
          structuredContent: MEMBERS,
        },
      }),
    ],
    [
      'meta',
      200,
      (id) => ({
        jsonrpc: '2.0',
        id,
        result: { isError: true, content: [{ type: 'text', text: 'No seat' }], _meta: MEMBERS },
      }),
    ],
  ])('keeps every member of %s with its name', async (_what, status, said) => {
    const text = await heard(dialect, (response, id) => json(response, status, said(id)));
    const written = text.replaceAll('\\"', '"');
    expect(
      NAMES.filter(
        (name) => !written.includes(`"${name}":${JSON.stringify(MEMBERS[name as keyof typeof MEMBERS])}`),
      ),
    ).toEqual([]);
  });

  it('takes secrets out of what it keeps', async () => {
    const hint = 'postgres://svc:hunter2-s3cret@10.0.0.5/prod';
    const text = await heard(dialect, (response, id) =>
      json(response, 200, { jsonrpc: '2.0', id, error: { code: -32000, message: 'No seat', hint } }),
    );
    expect(text).toContain('No seat');
    expect(text).not.toContain('hunter2');
  });
});

it.each<[string, object, string[]]>([
  ['its sentence', { message: 'No seat' }, []],
  ['its sentence and that it failed', { ok: false, error: 'No seat is left' }, []],
  ['a part of its sentence', { message: 'No seat is left on Friday', note: 'left on Friday' }, []],
  ['a word of its sentence', { message: 'No seat', account: 'seat' }, ['{"account":"seat"}']],
])('of a body that says %s, the rest is told once', async (_what, body, rest) => {
  const text = await heard('mayday', (response) => json(response, 500, body));
  const told = JSON.parse(text) as { result: { content: { text: string }[] } };
  expect(told.result.content.slice(1).map(({ text }) => text)).toEqual(rest);
});

it('says nothing twice', async () => {
  const text = await heard('mayday', (response, id) =>
    json(response, 200, {
      jsonrpc: '2.0',
      id,
      error: { code: -32602, message: 'MCP error -32602: No seat' },
    }),
  );
  expect(text).not.toContain('MCP error');
  expect(text).not.toContain('dev.mayday/error');
});
