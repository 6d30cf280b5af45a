import { makeFault } from '@mayday/core';
import { encode, type Said } from '@mayday/relay';
import { describe, expect, it } from 'vitest';
import { withoutToldSecrets } from './cut-secrets.ts';
import { STANDARD } from './redaction.ts';

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
  return withoutToldSecrets(fault, said, STANDARD.clean).message;
}

describe('the words of a fault lose what another part of the same answer gives away', () => {
  it.each<[string, Said]>([
    ['a member of its JSON', failing([text(JSON.stringify({ error: WORDS, password: SECRET }))])],
    ['its structured content', failing([text(WORDS)], { structuredContent: { password: SECRET } })],
    ['its meta', failing([text(WORDS)], { _meta: { 'com.example/login': { password: SECRET } } })],
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
