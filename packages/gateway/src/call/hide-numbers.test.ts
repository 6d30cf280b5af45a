/** A secret of digits alone goes out of messages as a number, too. */
import { expect, it } from 'vitest';
import { hidden, hiderOf, inBytes } from './hide-given.ts';
import { hiderOfSecrets } from './hiding.ts';

const hide = hiderOf({ type: 'command', env: { API_TOKEN: '639182645018' }, args: [] } as never);

function left(message: string, secrets = hide): string {
  return inBytes(Buffer.from(message), secrets as NonNullable<typeof hide>).toString();
}

it.each([
  '639182645018',
  '-639182645018',
  '639182645018.0',
  '6.39182645018e11',
  '6.39182645018E+11',
  '63918264501800e-2',
  '639182.645018',
  '639182645018e3',
  '77639182645018',
  '"639182645018"',
])('written as %s', (number) => {
  const log = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","WORDS":{"v":[1,${number}]}}}`;
  for (const name of ['data', 'meta']) {
    const said = left(log.replace('WORDS', name));
    expect(said).not.toMatch(/639182|645018|6\.39/);
    expect(JSON.parse(said)).toMatchObject({ method: 'notifications/message', params: { level: 'error' } });
  }
});

it('in a value, and in the words that were made of it', () => {
  expect(hidden({ v: 639182645018, w: -639182645018, x: [1, 12345678] }, hide)).toEqual({
    v: '[hidden]',
    w: '[hidden]',
    x: [1, 12345678],
  });
  expect(hide?.('refused: map[v:6.39182645018e+11]')).toBe('refused: map[v:[hidden]]');
});

it.each([
  ['0012345678', '12345678'],
  ['12345678901234567890', '12345678901234567890'],
  ['1234567890123456789012345', '1234567890123456789012345'],
  ['1234.5678', '1234.5678'],
])('however many digits it has: %s', (secret, number) => {
  const said = left(`{"jsonrpc":"2.0","method":"x","params":{"v":${number}}}`, hiderOfSecrets([secret]));
  expect(JSON.parse(said).params).toEqual({ v: '[hidden]' });
});

it('but leaves the numbers that the protocol needs, and what is no secret', () => {
  const few = hiderOfSecrets(['100000']);
  const answer = '{"jsonrpc":"2.0","id":100000,"error":{"code":100000,"message":"no","data":{"v":100000}}}';
  expect(JSON.parse(left(answer, few))).toEqual({
    jsonrpc: '2.0',
    id: 100000,
    error: { code: -32603, message: 'no', data: { v: '[hidden]' } },
  });
  const params = '{"progressToken":100000,"progress":100000,"total":1000000,"message":"at 100000"}';
  const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`;
  expect(JSON.parse(left(progress, few)).params).toEqual({
    progressToken: 100000,
    progress: 0,
    total: 1000000,
    message: 'at [hidden]',
  });
  const other = '{"jsonrpc":"2.0","method":"x","params":{"at":1763525365018,"v":6391826450}}';
  expect(left(other)).toBe(other);
});

it.each([[[83, 111, 109, 109, 101, 114, 49, 57]], [[0, 83, 111, 109, 109, 101, 114, 49, 57, 10]]])(
  'a list of the bytes of one goes as a whole: %j',
  (bytes) => {
    const byte = hiderOfSecrets(['Sommer19']) as NonNullable<ReturnType<typeof hiderOfSecrets>>;
    const data = { stdin: { type: 'Buffer', data: bytes }, sizes: [1, 2, 3, 4, 5, 6] };
    const left = { stdin: { type: 'Buffer', data: ['[hidden]'] }, sizes: [1, 2, 3, 4, 5, 6] };
    expect(hidden(data, byte)).toEqual(left);
  },
);
