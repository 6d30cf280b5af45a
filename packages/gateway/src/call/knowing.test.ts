import { makeFault } from '@mayday/core';
import { encode, type Said } from '@mayday/relay';
import { describe, expect, it } from 'vitest';
import { keepWhatWasSaid } from './keep-what-was-said.ts';
import { cleanerOf, STANDARD } from './redaction.ts';

const SECRET = 'hunter2Zq9';
const WORDS = `Order not found, tried ${SECRET}`;

function answer(members: object): Said {
  const message = { jsonrpc: '2.0', id: 1, ...members };
  return { type: 'message', message, bytes: encode(message), status: 200 };
}

const text = (said: string) => ({ type: 'text', text: said });
const failing = (content: readonly object[], more: object = {}) =>
  answer({ result: { isError: true, content, ...more } });

function told(said: Said): string {
  const fault = makeFault({ kind: 'not_found', message: WORDS });
  return STANDARD.knowing(said).cleanFault(fault).message;
}

describe('the words of a fault lose what another part of the same answer gives away', () => {
  it.each<[string, Said]>([
    ['a member of its JSON', failing([text(JSON.stringify({ error: WORDS, password: SECRET }))])],
    ['its structured content', failing([text(WORDS)], { structuredContent: { password: SECRET } })],
    ['its meta', failing([text(WORDS)], { _meta: { 'com.example/login': { password: SECRET } } })],
    [
      'bytes as JSON has them',
      failing([text(WORDS)], { structuredContent: { body: Buffer.from(`password=${SECRET}`) } }),
    ],
    [
      'numbered bytes',
      failing([text(WORDS)], { structuredContent: { body: { ...Buffer.from(`password=${SECRET}`) } } }),
    ],
    [
      'an address',
      failing([text(WORDS)], { structuredContent: { url: `https://ann:${SECRET}@shop.example/` } }),
    ],
    ['another block', failing([text(WORDS), text(`password=${SECRET}`)])],
    ['the data of an error', answer({ error: { code: -32000, message: WORDS, data: { password: SECRET } } })],
    [
      'a body',
      {
        type: 'http',
        status: 404,
        head: { status: 404, statusText: '', headers: {} },
        headers: {},
        body: Buffer.from(JSON.stringify({ error: WORDS, password: SECRET })),
      },
    ],
  ])('%s', (_, said) => {
    expect(told(said)).toBe('Order not found, tried [password:1]');
  });

  it('and nothing that none of it gives away', () => {
    expect(told(failing([text(WORDS)], { structuredContent: { order: SECRET } }))).toBe(WORDS);
    expect(told({ type: 'nothing' })).toBe(WORDS);
  });
});

describe('all that is made of an answer loses it, not the words alone', () => {
  it.each<[string, object]>([
    ['the advice', { advice: `do not use ${SECRET}` }],
    ['the details', { details: { tried: [SECRET], [SECRET]: 1 } }],
    ['the fields', { issues: [{ path: ['user'], message: `got ${SECRET}` }] }],
    ['the subject', { subject: { type: 'user', id: SECRET } }],
    [
      'the error it was',
      { native: { dialect: 'mcp', code: -32000, message: `no ${SECRET}`, extra: { a: SECRET } } },
    ],
  ])('%s', (_, part) => {
    const said = failing([text('no'), text(`password=${SECRET}`)]);
    const fault = makeFault({ kind: 'not_found', message: 'no', ...part });
    expect(JSON.stringify(STANDARD.knowing(said).cleanFault(fault))).not.toContain(SECRET);
  });

  it.each<[string, Said, object]>([
    [
      'the data beside the message of an error',
      answer({ error: { code: -32000, message: `password=${SECRET}`, data: { tried: SECRET } } }),
      { error: { code: -32000, message: 'no', data: {} } },
    ],
    [
      'the bytes beside a text',
      failing([
        text(`password=${SECRET}`),
        { type: 'resource', resource: { uri: 'x://a', blob: btoa(SECRET) } },
      ]),
      { result: { isError: true, content: [] } },
    ],
    [
      'the names of members',
      failing([text(`password=${SECRET}`)], { structuredContent: { [SECRET]: 1 } }),
      { result: { isError: true, content: [] } },
    ],
  ])('%s', (_, said, wire) => {
    const left = JSON.stringify(
      keepWhatWasSaid({ jsonrpc: '2.0', id: 1, ...wire } as never, said, 10_000, STANDARD.knowing(said)),
    );
    expect(left).toMatch(/tried|x:|structuredContent/);
    expect(left).not.toMatch(new RegExp(`${SECRET}|${btoa(SECRET)}`));
  });

  it('where secrets are taken out at all', () => {
    const said = failing([text(WORDS)], { structuredContent: { password: SECRET } });
    const fault = makeFault({ kind: 'not_found', message: WORDS });
    expect(cleanerOf('secrets').knowing(said).cleanFault(fault).message).toBe(
      'Order not found, tried [password:1]',
    );
    expect(cleanerOf('off').knowing(said).cleanFault(fault)).toBe(fault);
    expect(STANDARD.knowing(failing([text(WORDS)]))).toBe(STANDARD);
  });
});

it.each<[string, Said]>([
  ['credentials', failing([text(WORDS)], { headers: { authorization: `Bearer ${SECRET}` } })],
  ['cookie', failing([text(WORDS)], { _meta: { headers: { cookie: `lang=en; sid=${SECRET}` } } })],
])('a header gives away what stands behind its scheme, or its name: %s', (cls, said) => {
  expect(told(said)).toBe(`Order not found, tried [${cls}:1]`);
});
