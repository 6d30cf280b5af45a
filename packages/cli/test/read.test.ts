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

test('says what to do about several messages, one a line, that were read as one text', async () => {
  const line = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}';
  const hint =
    'Several JSON values came in, one a line, and were read as one text; with --jsonl each of them is answered.\n';
  const told = async (input: string, ...more: string[]) => (await mayday(['read', ...more], input)).err;
  expect(await told(`${line}\n${line}\n`)).toBe(hint);
  expect(await told(`\n${line}\n\n${line}`, '--why')).toBe(hint);
  expect(await told(`${line}\n${line}\n`, '--jsonl')).toBe('');
  expect(await told(line)).toBe('');
  expect(await told(`${line}\nand then it broke`)).toBe('');
  expect(await told('{\n"a": 1\n}\n{\n"b": 2\n}')).toBe('');
  expect(await told('404\n500\n')).toBe('');
});

test('shows with --why every finding and its weight in columns, heaviest first', async () => {
  const { code, out } = await mayday(['read', '--why'], 'Could not send invite: 401 Unauthorized');
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    'unauthenticated, not retryable, certainty 0.96, no dialect',
    '',
    'weight  in    by      kind             says',
    '    92  text  phrase  unauthenticated  "Unauthorized"',
    '    91  text  status  unauthenticated  HTTP status 401',
    '',
    'no dialect claims it',
    '',
  ]);
});

test('says what decided where it was no finding in the words', async () => {
  const { out } = await mayday(
    ['read', '--why'],
    '{"thrown": {"code": "ECONNREFUSED", "message": "connect"}}',
  );
  expect(out).toContain('decided by errno: ');
});

test('adds the findings to the answer with --why and --json or --jsonl', async () => {
  const [whole, line] = await Promise.all(
    ['--json', '--jsonl'].map((flag) => mayday(['read', '--why', flag], '"HTTP 503 Service Unavailable"\n')),
  );
  const findings = [
    { in: 'text', by: 'status', kind: 'unavailable', weight: 91, says: 'HTTP status 503', never: false },
    {
      in: 'text',
      by: 'phrase',
      kind: 'unavailable',
      weight: 93,
      says: '"Service Unavailable"',
      never: false,
    },
  ];
  for (const { out = '' } of [whole ?? { out: '' }, line ?? { out: '' }])
    expect(JSON.parse(out)).toMatchObject({
      kind: 'unavailable',
      why: { claims: [], findings: expect.arrayContaining(findings) },
    });
});

test('keeps control characters of a message out of the columns', async () => {
  const { out } = await mayday(['read', '--why'], 'Rate\u001b[31m limit exceeded');
  expect(out).not.toContain('\u001b');
});
