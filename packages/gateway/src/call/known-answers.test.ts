import { makeFault } from '@mayday/core';
import { type Answer, encode, peek, type WireCall } from '@mayday/relay';
import { expect, it } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { KnownAnswers } from './known-answers.ts';

const NUMBER = '3f0c9a52-5f0e-4a43-9a36-0d6a8a8f1c11';
const OTHER = '00000000-1111-4222-8333-444444444444';
const gone = makeFault({ kind: 'not_found', message: 'Order é was not found' });

function asked(id: string, more: Partial<WireCall> = {}): WireCall {
  const body = Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x"}}`);
  return { ...wireCall(), method: 'tools/call', body, peek: peek(body), ...more };
}

function answer(id: unknown, number: string): Answer {
  const result = { isError: true, content: [{ text: 'é' }], _meta: { number } };
  const body = encode({ jsonrpc: '2.0', id, result } as never);
  return { type: 'answer', body, status: 200, headers: {}, isStream: false };
}

it('answers with the id of the call and the number of the failure', () => {
  const known = new KnownAnswers();
  known.learn(asked('1'), gone, NUMBER, answer(1, NUMBER));
  for (const id of ['7', '0', '"a-1"', '""', '123456789012345'])
    expect(known.find(asked(id), gone, OTHER)).toEqual({
      body: answer(JSON.parse(id), OTHER).body,
      status: 200,
    });
});

it.each(['-1', '1.5', '1e3', '"\\u0061"', '"é"', '"a b"', '9007199254740993', '"</script>"'])(
  'writes an answer for the id %s anew',
  (id) => {
    const known = new KnownAnswers();
    known.learn(asked('1'), gone, NUMBER, answer(1, NUMBER));
    expect(known.find(asked(id), gone, OTHER)).toBeUndefined();
  },
);

it('knows nothing of other faults, methods and revisions', () => {
  const known = new KnownAnswers();
  known.learn(asked('1'), gone, NUMBER, answer(1, NUMBER));
  expect(known.find(asked('1'), { ...gone }, OTHER)).toBeUndefined();
  expect(known.find(asked('1', { method: 'prompts/get' }), gone, OTHER)).toBeUndefined();
  const revision = asked('1').revision === '2026-07-28' ? '2025-11-25' : '2026-07-28';
  expect(known.find(asked('1', { revision }), gone, OTHER)).toBeUndefined();
});

it.each([
  ['says its number twice', answer(1, `${NUMBER} ${NUMBER}`)],
  ['does not say it', answer(1, OTHER)],
  ['has another id', answer(2, NUMBER)],
])('does not learn an answer that %s', (_what, given) => {
  const known = new KnownAnswers();
  known.learn(asked('1'), gone, NUMBER, given);
  expect(known.find(asked('1'), gone, OTHER)).toBeUndefined();
});
