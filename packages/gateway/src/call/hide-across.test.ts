/** A secret of the settings goes out of the blocks of a result, wherever these are cut. */
import { expect, it } from 'vitest';
import { hidden, hideGiven, inBytes } from './hide-given.ts';
import { hiderOfSecrets } from './hiding.ts';

const SECRET = 'arg-secret-mango-7';
const hide = hiderOfSecrets([SECRET]) as NonNullable<ReturnType<typeof hiderOfSecrets>>;
const block = (text: string): object => ({ type: 'text', text });

it('wherever it is cut', () => {
  for (let at = 1; at < SECRET.length; at++) {
    const content = [block(`seen ${SECRET.slice(0, at)}`), block(`${SECRET.slice(at)} end`)];
    const expected = [block('seen [hidden]'), block('[hidden] end')];
    expect(hidden({ isError: true, content }, hide)).toEqual({ isError: true, content: expected });
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content } }));
    expect(JSON.parse(inBytes(body, hide).toString()).result.content).toEqual(expected);
  }
});

it('in more than two, with others between them, and in texts of resources', () => {
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const of = (text: string): object => ({ type: 'resource', resource: { uri: 'a://b', text } });
  const content = [
    block('1 arg-se'),
    image,
    of('cret-'),
    block('mango\n'),
    block('-7 2'),
    block(`3 ${SECRET} 4`),
  ];
  expect(hidden(content, hide)).toEqual([
    block('1 [hidden]'),
    image,
    of('[hidden]'),
    block('[hidden]'),
    block('[hidden] 2'),
    block('3 [hidden] 4'),
  ]);
});

it('and in the words that were made of them', async () => {
  const content = [block('seen arg-secret'), block('-mango-7 end')];
  const value = { type: 'message', message: { jsonrpc: '2.0', id: 1, result: { isError: true, content } } };
  const fault = { kind: 'unknown', message: 'seen arg-secret\n-mango-7 end', retry: { when: 'never' } };
  const failing = async (): Promise<object> => ({
    ok: false,
    fault,
    value: { ...value, bytes: Buffer.alloc(0) },
  });
  const handle = hideGiven(hide)(failing as never) as (call: object) => Promise<object>;
  expect(await handle({ back: {} })).toMatchObject({
    fault: { message: 'seen [hidden]\n[hidden] end', retry: { when: 'never' } },
    value: { message: { result: { content: [block('seen [hidden]'), block('[hidden] end')] } } },
  });
});

it('and in words that were made of some of them, where the rest stands in a resource', async () => {
  const of = (text: string): object => ({ type: 'resource', resource: { uri: 'a://b', text } });
  const content = [
    block('7 refused arg-se'),
    of('cret'),
    block('-mango-'),
    of('7 as its key'),
    block('7 end'),
  ];
  const value = { type: 'message', message: { jsonrpc: '2.0', id: 1, result: { isError: true, content } } };
  const fault = { kind: 'unknown', message: '7 refused arg-se\n-mango-\n7 end', retry: { when: 'never' } };
  const failing = async (): Promise<object> => ({
    ok: false,
    fault,
    value: { ...value, bytes: Buffer.alloc(0) },
  });
  const handle = hideGiven(hide)(failing as never) as (call: object) => Promise<object>;
  expect(await handle({ back: {} })).toMatchObject({
    fault: { message: '7 refused [hidden]\n[hidden]\n7 end' },
  });
});

it.each([
  ['of two letters', ['ar', 'g-', 'se', 'cr', 'et', '-m', 'an', 'go', '-7']],
  ['of one letter', [...SECRET]],
])('where parts %s stand in the words before it, too', async (_what, parts) => {
  const content = [block('no orange man at large: secret go-7 m'), ...parts.map(block), block('a')];
  const value = { type: 'message', message: { jsonrpc: '2.0', id: 1, result: { isError: true, content } } };
  const message = content.map((each) => (each as { text: string }).text).join('\n');
  const fault = { kind: 'unknown', message, retry: { when: 'never' } };
  const failing = async (): Promise<object> => ({
    ok: false,
    fault,
    value: { ...value, bytes: Buffer.alloc(0) },
  });
  const handle = hideGiven(hide)(failing as never) as (call: object) => Promise<object>;
  const hiddenParts = parts.map(() => '[hidden]').join('\n');
  expect(await handle({ back: {} })).toMatchObject({
    fault: { message: `no orange man at large: secret go-7 m\n${hiddenParts}\na` },
  });
});

it('but leaves the same value where none is', () => {
  const content = [block('seen arg-secret'), block(' for -mango-7 end')];
  expect(hidden(content, hide)).toBe(content);
  const pieces = [block('arg-secret'), { type: 'text', text: 7 }, { type: 'other', text: '-mango-7' }];
  expect(hidden(pieces, hide)).toBe(pieces);
});
