import { expect, test } from 'vitest';
import { answer, mayday } from './mayday.ts';

const RATE_LIMITED = {
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32010, message: 'Rate limit exceeded', data: { limit: 100, window: 60, retry_after: 30 } },
};

test('prints every member that the contract names', async () => {
  expect(await answer(['read'], RATE_LIMITED)).toEqual({
    failure: true,
    kind: 'rate_limited',
    subject: null,
    reaction: 'retryable',
    retryable: true,
    retry: { when: 'after_wait', after_ms: 30_000, max_attempts: null, backoff: null, jitter: null },
    executed: 'maybe',
    origin: 'server',
    message: 'Rate limit exceeded',
    issues: [],
    placement: 'protocol',
    dialect: 'erlmcp',
    certainty: 0.95,
    evidence: [{ by: 'code', says: '-32010 rate_limited', dialect: 'erlmcp', kind: 'rate_limited' }],
    details: { limit: 100, window: 60 },
  });
});

test('gives the subject an id, null when the message has none', async () => {
  const named = {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32001, message: 'Resource not found', data: { uri: 'a:b' } },
  };
  const nameless = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } };
  expect(await answer(['read'], named)).toMatchObject({ subject: { type: 'resource', id: 'a:b' } });
  expect(await answer(['read'], nameless)).toMatchObject({ subject: { type: 'method', id: null } });
});

test('prints issues with their path as an array, and a code or null', async () => {
  const issues = [
    { path: ['items', 0], message: 'Required', code: 'required' },
    { path: [], message: 'Bad' },
  ];
  expect(await answer(['read'], issues)).toMatchObject({
    kind: 'invalid_arguments',
    issues: [
      { path: ['items', 0], message: 'Required', code: 'required' },
      { path: [], message: 'Bad', code: null },
    ],
  });
});

test('says of a success only that it is no failure', async () => {
  const success = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'fine' }] } };
  expect(await answer(['read'], success)).toEqual({ failure: false });
});

test('takes what is not JSON as text', async () => {
  expect(await answer(['read'], 'connect ECONNREFUSED 127.0.0.1:5432')).toMatchObject({
    failure: true,
    kind: 'unavailable',
    placement: 'text',
  });
});

test('reads in the dialect it is told', async () => {
  const bare = { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'no' } };
  expect(await answer(['read'], bare)).toMatchObject({ kind: 'unknown', certainty: 0, dialect: null });
  expect(await answer(['read', '--from', 'erlmcp'], bare)).toMatchObject({
    kind: 'not_found',
    dialect: 'erlmcp',
  });
});

test('indents a single answer, and puts it on one line with --compact', async () => {
  const indented = await mayday(['read'], '{"result": {}}');
  const compact = await mayday(['read', '--compact'], '{"result": {}}');
  expect(indented).toEqual({ code: 0, out: '{\n  "failure": false\n}\n', err: '' });
  expect(compact).toEqual({ code: 0, out: '{"failure":false}\n', err: '' });
});

test('notes an empty input beside its answer', async () => {
  expect(await mayday(['read', '--compact'])).toEqual({
    code: 0,
    out: '{"failure":false}\n',
    err: 'Nothing came in on standard input; pipe a message into it.\n',
  });
});
