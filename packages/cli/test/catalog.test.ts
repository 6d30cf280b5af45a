import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { answer, mayday } from './mayday.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const ORDERS = [
  { code: 'ORDER_NOT_FOUND', kind: 'not_found', subject: 'order', meaning: 'There is no such order' },
  { code: 5101, name: 'STOCK_LOW', kind: 'conflict', meaning: 'Not enough in stock', retryable: true },
];

test('prints all kinds and codes as JSON', async () => {
  const { kinds, codes } = (await answer(['catalog'], '')) as { kinds: object[]; codes: object[] };
  expect(kinds).toHaveLength(27);
  expect(codes).toContainEqual(
    expect.objectContaining({ source: 'onx', code: 3002, name: 'TIMEOUT', kind: 'timeout', retryable: true }),
  );
});

test('prints Markdown and one self-contained page', async () => {
  const md = await mayday(['catalog', '--format', 'md']);
  const html = await mayday(['catalog', '--format', 'html']);
  expect(md.out).toContain('| `-32001` | unauthorized | `unauthenticated` | – | no | Unauthorized |');
  expect(md.out).toContain(
    '| `-32002` | tool_not_found | `not_found` | tool | no | Tool not found. List available tools with `tools/list`; Verify tool name spelling; Check tool registration |',
  );
  expect(html.out).toContain('<code>-32001</code>');
  expect(html.out).not.toMatch(/<(?:link|img|script)[^>]*(?:src|href)=/);
});

test('shows the definitions of an application, and escapes them in the page', async () => {
  const path = file('html.json', [{ code: '<b>', kind: 'conflict', meaning: 'a < b & "c"' }]);
  const { out } = await mayday(['catalog', '--format', 'html', '--definitions', path]);
  expect(out).toContain('<code>&lt;b&gt;</code>');
  expect(out).toContain('a &lt; b &amp; &quot;c&quot;');
});

test('passes its own lock', async () => {
  const { out } = await mayday(['catalog', 'lock']);
  expect(await mayday(['catalog', 'check', file('own.json', out)])).toEqual({
    code: 0,
    out: 'No code was renumbered, removed or given another meaning.\n',
    err: '',
  });
});

test('locks only the definitions of an application when it is given some', async () => {
  const path = file('orders.json', ORDERS);
  expect(await answer(['catalog', 'lock', '--definitions', path], '')).toEqual({
    application: {
      5101: { name: 'STOCK_LOW', kind: 'conflict', subject: null, retryable: true },
      ORDER_NOT_FOUND: { name: 'ORDER_NOT_FOUND', kind: 'not_found', subject: 'order', retryable: false },
    },
  });
});

test('fails with one line for each promise that an application broke', async () => {
  const lock = file(
    'orders.lock.json',
    (await mayday(['catalog', 'lock', '--definitions', file('a.json', ORDERS)])).out,
  );
  const changed = [
    { ...ORDERS[1], code: 5102 },
    { code: 'NEW', kind: 'timeout', meaning: 'Too slow' },
  ];
  const { code, out } = await mayday(['catalog', 'check', lock, '--definitions', file('b.json', changed)]);
  expect(code).toBe(1);
  expect(out).toBe(
    'application 5101 (STOCK_LOW) was renumbered to 5102\n' +
      'application ORDER_NOT_FOUND (ORDER_NOT_FOUND) was removed\n',
  );
});

test('passes when an application only added an error', async () => {
  const lock = file(
    'add.lock.json',
    (await mayday(['catalog', 'lock', '--definitions', file('c.json', ORDERS)])).out,
  );
  const more = [...ORDERS, { code: 'NEW', kind: 'timeout', meaning: 'Too slow' }];
  const { code } = await mayday(['catalog', 'check', lock, '--definitions', file('d.json', more)]);
  expect(code).toBe(0);
});

test.each([
  [
    'a missing lock',
    ['catalog', 'check', join(folder, 'none.json')],
    /lock file .* cannot be read \(ENOENT\); check the path/,
  ],
  [
    'a lock that is not JSON',
    ['catalog', 'check', file('bad.json', '{')],
    /is not valid JSON; repair it or write it again/,
  ],
  [
    'a lock that is none',
    ['catalog', 'check', file('no-lock.json', { a: 1 })],
    /is no lock; write one with `mayday catalog lock`/,
  ],
  [
    'definitions that are no list',
    ['catalog', '--definitions', file('e.json', {})],
    /holds no list; write a JSON array/,
  ],
  [
    'a definition of no kind',
    ['catalog', '--definitions', file('f.json', [{ code: 'A', kind: 'timeot', meaning: 'x' }])],
    /item 1: there is no kind "timeot"; did you mean timeout\?/,
  ],
  [
    'a definition without a meaning',
    ['catalog', '--definitions', file('g.json', [{ code: 'A', kind: 'timeout' }])],
    /item 1: expected `meaning` to be a sentence/,
  ],
  [
    'a code that is defined twice',
    ['catalog', '--definitions', file('h.json', [ORDERS[0], ORDERS[0]])],
    /defines ORDER_NOT_FOUND twice; keep one of them/,
  ],
])('refuses %s with a sentence', async (_what, args, sentence) => {
  const { code, out, err } = await mayday(args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(sentence);
});

test('prints the codes of one dialect, each with what to do', async () => {
  const { sources, codes } = (await answer(['catalog', '--dialect', 'qaqnuz'], '')) as {
    sources: { id: string }[];
    codes: { code: string; steps: string[]; advice: string }[];
  };
  expect(sources.map(({ id }) => id)).toEqual(['qaqnuz']);
  expect(codes.map(({ code }) => code)).toEqual([
    'validation',
    'permission',
    'retryable',
    'dependency',
    'terminal',
  ]);
  expect(codes[0]).toMatchObject({
    steps: ['Fix the input', 'Do not retry the same call — it will fail again'],
    advice: 'Correct the arguments, then call again.',
    executed: 'no',
    status: 400,
  });
  const lock = (await answer(['catalog', 'lock', '--dialect', 'qaqnuz'], '')) as object;
  expect(Object.keys(lock)).toEqual(['qaqnuz']);
});

test('compares a whole lock, not a dialect of it', async () => {
  const { code, err } = await mayday(['catalog', 'check', 'x.json', '--dialect', 'qaqnuz']);
  expect(code).toBe(2);
  expect(err).toBe('mayday: `mayday catalog check` compares what the lock has; leave --dialect out\n');
});
