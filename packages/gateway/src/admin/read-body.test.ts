import { expect, it } from 'vitest';
import { readBody } from './read-body.ts';

const read = (bytes: Buffer | string): unknown => {
  const said = readBody(Buffer.from(bytes as string));
  return 'refused' in said
    ? [said.refused.status, said.refused.fault.kind, said.refused.fault.message]
    : said;
};

it.each([
  ['', {}],
  ['{"name":"ann"}', { name: 'ann' }],
  [' {"a":"b","b":"a","":[]} ', { a: 'b', b: 'a', '': [] }],
  ['{"a":["a","a"]}', { a: ['a', 'a'] }],
  ['{"name":"\u{1f600} é"}', { name: '\u{1f600} é' }],
  ['[]', []],
  ['null', null],
])('reads %j', (bytes, body) => {
  expect(read(bytes)).toEqual({ body });
});

it.each([
  ['{"name":"a","name":"b"}', 'name: It is here twice'],
  ['{"name":"a","role":"caller","n\\u0061me":"a"}', 'name: It is here twice'],
  ['{"é":1,"\\u00e9":1}', 'é: It is here twice'],
  ['{"__proto__":1,"__proto__":2}', '__proto__: It is here twice'],
])('refuses %s: of two, each reader would take another', (bytes, message) => {
  expect(read(bytes)).toEqual([400, 'invalid_arguments', message]);
});

it('names each field that is there twice, once', () => {
  expect(readBody(Buffer.from('{"a":1,"b":1,"a":2,"c":1,"b":2,"a":3}'))).toMatchObject({
    refused: {
      fault: {
        issues: [
          { path: ['a'], code: 'twice' },
          { path: ['b'], code: 'twice' },
        ],
      },
    },
  });
});

it.each([
  ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['half a letter', Buffer.from([0x22, 0xc3, 0x22])],
  ['UTF-16', Buffer.from('{}', 'utf16le')],
  ['half of it', '{"name":"a"'],
  ['no JSON', 'name=ann'],
])('refuses what is %s', (_, bytes) => {
  expect(read(bytes)).toEqual([400, 'parse_error', 'The request is no JSON']);
});
