import type { JsonRpcWire } from '@mayday/core/dialects';
import type { Said } from '@mayday/relay';
import { expect, it } from 'vitest';
import { keepWhatWasSaid } from './keep-what-was-said.ts';

const said = (message: object): Said => ({
  type: 'message',
  message,
  bytes: Buffer.from(JSON.stringify(message)),
  status: 200,
});
const text = (value: string) => ({ type: 'text', text: value });
const ours: JsonRpcWire = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    isError: true,
    content: [text('The build failed. Check the identifier.')],
    _meta: { 'dev.mayday/fault': { kind: 'not_found' } },
  },
};

function kept(result: object, textBytes = 1000): { [key: string]: unknown } {
  return keepWhatWasSaid(ours, said({ jsonrpc: '2.0', id: 1, result }), textBytes).result as {
    [key: string]: unknown;
  };
}

it('keeps every block, the structured content and the meta beside our words', () => {
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
  const link = { type: 'resource_link', uri: 'log://1', name: 'log' };
  expect(
    kept({
      isError: true,
      content: [text('line 1\nline 2'), image, link],
      structuredContent: { errors: [{ field: 'a', allowed: ['x', 'y'] }] },
      _meta: { 'com.example/run': 7 },
      extra: true,
    }),
  ).toEqual({
    isError: true,
    content: [text('The build failed. Check the identifier.'), text('line 1\nline 2'), image, link],
    structuredContent: { errors: [{ field: 'a', allowed: ['x', 'y'] }] },
    _meta: { 'com.example/run': 7, 'dev.mayday/fault': { kind: 'not_found' } },
    extra: true,
  });
});

it('tells of many long texts as much as of two, also behind one that is longer than all of that', () => {
  const long = 'a word '.repeat(500); // 3,500 letters
  const blocks = [text('b '.repeat(50_000)), ...Array.from({ length: 30 }, () => text(long))];
  const { content } = kept({ isError: true, content: blocks }) as { content: { text: string }[] };
  expect(content).toHaveLength(1 + 2 + 1);
  expect(content[1]?.text).toContain('… (99000 more characters)');
  expect(content[2]?.text).toContain('… (2500 more characters)');
  expect(content.at(-1)).toEqual(text('… (29 more)'));
});

it('does not say twice what stands in our words', () => {
  expect(kept({ isError: true, content: [text('The build failed')] })['content']).toEqual([
    text('The build failed. Check the identifier.'),
  ]);
});

it('takes secrets out of everything it keeps', () => {
  const dump = JSON.stringify(
    kept({
      isError: true,
      content: [text('cannot reach postgres://svc:hunter2@10.0.0.5/prod for you, sorry')],
      structuredContent: { password: 'hunter2' },
      _meta: { 'com.example/dsn': 'postgres://svc:hunter2@10.0.0.5/prod' },
    }),
  );
  expect(dump).not.toContain('hunter2');
  expect(dump).toContain('for you, sorry');
});

it('leaves the codes of another dialect behind', () => {
  expect(kept({ isError: true, content: [], error: { code: 3001, message: 'x' } })).not.toHaveProperty(
    'error',
  );
});

it('cuts a text that is longer than allowed, and says so', () => {
  const content = kept({ isError: true, content: [text('a'.repeat(60))] }, 50)['content'] as {
    text: string;
  }[];
  expect(content[1]?.text).toBe(`${'a'.repeat(50)}\n… (10 more characters)`);
});

it('keeps the data of a protocol error, whatever it is', () => {
  const wire: JsonRpcWire = {
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32602, message: 'Required', data: { kind: 'x' } },
  };
  const data = (value: unknown): unknown =>
    keepWhatWasSaid(
      wire,
      said({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'Required', data: value } }),
      99,
    ).error?.data;
  expect(data({ field: 'order', kind: 'theirs' })).toEqual({ field: 'order', kind: 'x' });
  expect(data(['a'])).toEqual({ value: ['a'], kind: 'x' });
});

it('adds nothing where nothing was said', () => {
  expect(keepWhatWasSaid(ours, { type: 'nothing' }, 99)).toBe(ours);
  expect(keepWhatWasSaid(ours, undefined, 99)).toBe(ours);
});

it('says what is left out of a huge answer, where that is anything', () => {
  const content = [text('x'.repeat(5000))];
  expect(kept({ isError: true, content, extra: 1 })['_meta']).toMatchObject({
    'dev.mayday/left-out': ['extra'],
  });
  expect(kept({ isError: true, content })['_meta']).not.toHaveProperty(['dev.mayday/left-out']);
});

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
const POSITIONS = Array.from(SECRET, (_, at) => at).slice(1);

it.each(POSITIONS)('tells nothing of a secret that the last block begins, behind %i letters of it', (at) => {
  const filled = text('some words '.repeat(36)); // 396 letters
  const last = `charge failed with ${SECRET.slice(0, at)}`;
  const blocks = [filled, filled, filled, filled, text(last), filled, text('not told')];
  blocks.splice(5, 0, text(`${SECRET.slice(at)} was not taken ${'x '.repeat(400)}`));
  const { content } = kept({ isError: true, content: blocks }) as { content: { text: string }[] };
  expect(content.at(-1)).toEqual(text('… (3 more)'));
  expect(content.at(-2)?.text).toBe('charge failed with [api-key:1]');
});
