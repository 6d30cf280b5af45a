import { expect, it } from 'vitest';
import { isAboutAnother } from './about-another.ts';

const error = (id: string) => `{"jsonrpc":"2.0",${id}"error":{"code":-32602,"message":"no"}}`;
const result = (id: string) => `{"jsonrpc":"2.0",${id}"result":{"content":[]}}`;
const event = (data: string) => `event: message\ndata: ${data}\n\n`;

it.each([
  ['its own error', error('"id":7,')],
  ['its own number as text', error('"id":"7",')],
  ['its own result', result('"id":7,')],
  ['an error without an id', error('')],
  ['an error under null', error('"id":null,')],
  ['an error under nothing', error('"id":"",')],
  ['an error of the SDK for Python', error('"id":"server-error",')],
  ['an event', event(error('"id":7,'))],
  ['one alone in a batch', `[${error('"id":7,')}]`],
  ['a page', '<h1>Too many requests</h1>'],
  ['a plain problem', '{"id":5,"error":"busy"}'],
  ['nothing', ''],
])('%s is about the request that was asked', (_what, body) => {
  expect(isAboutAnother(body, 7)).toBe(false);
});

it.each([
  ['an error under another id', error('"id":8,')],
  ['an error under what is no id', error('"id":{},')],
  ['an error under a list', error('"id":[7],')],
  ['an error under a part of it', error('"id":7.5,')],
  ['a result under another id', result('"id":8,')],
  ['a result without an id', result('')],
  ['an event for another', event(error('"id":8,'))],
  ['an event for another, in the lines of an old Mac', event(error('"id":8,')).replaceAll('\n', '\r')],
  ['two events', event(error('"id":7,')) + event(result('"id":7,'))],
  ['a batch', `[${error('"id":7,')},${result('"id":7,')}]`],
  ['one for another in a batch', `[${error('"id":8,')}]`],
  ['what tells of work', '{"jsonrpc":"2.0","method":"notifications/progress"}'],
  ['half of a message', error('"id":7,').slice(0, -5)],
])('%s is not', (_what, body) => {
  expect(isAboutAnother(body, 7)).toBe(true);
});
