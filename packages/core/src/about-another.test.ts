import { expect, it } from 'vitest';
import { concernOf, toldIn } from './about-another.ts';

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
  ['a problem that is numbered', '{"errors":[{"id":"e-1","title":"busy"}]}'],
  ['a list of problems', '[{"message":"busy","errorCode":"LIMIT"}]'],
  ['a sentence as JSON', '"Too many requests"'],
  ['a sentence with a name in quotes', '"amount" is required'],
  ['a line of a log', '[error] Too many requests'],
  ['a sentence with a number', 'order "id": 7 is in maintenance'],
  ['a sentence that begins with a number', '"id": 8 is not allowed'],
  ['a sentence that ends with a number', 'Nobody knows a basket "id":8.'],
  ['a sentence with two numbers', 'Neither order "id": 7 nor order "id": A-8 can be "paid" now'],
  ['a sentence that begins with a name', '"amount": must be positive'],
  ['a sentence with a problem in it', 'Upstream said: {"error":"busy"}'],
  ['a sentence with a sign', 'Too many requests :}'],
  ['a sentence with a number in an event', event('order "id": 7 is in maintenance')],
  ['a sentence in an event', event('Too many requests')],
  ['what is said to be events and is a sentence', 'Too many requests', true],
  [
    'an event after signs of life',
    `: hi\n\nevent: ping\ndata: 1\n\nretry: 5\n\n${event(error('"id":7,'))}: bye`,
  ],
])('%s is about the request that was asked, and no more', (_what, body, isEvents?: boolean) => {
  expect(concernOf(body, 7, isEvents)).toBe('own');
});

const OWN = event(error('"id":7,'));

it.each([
  ['a field that nobody knows behind it', `${OWN}orderId: 991\n\n`],
  ['a field that nobody knows, cut off', `${OWN}orderId: 991`],
  ['a word alone', `${OWN}paid\n\n`],
  ['a field that nobody knows before it', `orderId: 991\n\n${OWN}`, true],
  ['a field that nobody knows in it', `orderId: 991\n${OWN}`, true],
  ['another event', `${OWN}event: paid\ndata: 991\n\n`],
  ['other words', `${OWN}data: paid 991\n\n`],
  ['an event that is cut off', `${OWN}event: message\n`],
  ['its own end, which is cut off', OWN.slice(0, -1)],
  [
    'a result in the same message',
    '{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no"},"result":{}}',
  ],
  [
    'an error before it in the same message',
    '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"paid"},"error":{"code":-32602,"message":"no"}}',
  ],
  [
    'words before its own in an event',
    event('{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"paid","message":"no"}}'),
  ],
  [
    'a number before its own, alone in a batch',
    '[{"jsonrpc":"2.0","id":7,"error":{"code":1,"code":-32602,"message":"no"}}]',
  ],
  ['words before those of a plain problem', '{"detail":"paid","detail":"busy"}'],
])('%s proves nothing', (_what, body, isEvents?: boolean) => {
  expect(concernOf(body, 7, isEvents)).toBe('more');
});

const THEIRS = result('"id":8,');

it.each([
  ['an error under another id', error('"id":8,')],
  ['an error under what is no id', error('"id":{},')],
  ['an error under a list', error('"id":[7],')],
  ['an error under a part of it', error('"id":7.5,')],
  ['a result under another id', THEIRS],
  ['a result without an id', result('')],
  ['an event for another', event(error('"id":8,'))],
  ['an event for another, in the lines of an old Mac', event(error('"id":8,')).replaceAll('\n', '\r')],
  ['two events', OWN + event(result('"id":7,'))],
  ['an event for another before it', event(THEIRS) + OWN],
  ['an event with a batch', event(`[${THEIRS},${error('"id":7,')}]`)],
  ['an event for another that is cut off', OWN + event(THEIRS).slice(0, -12)],
  ['a batch', `[${error('"id":7,')},${result('"id":7,')}]`],
  ['one for another in a batch', `[${error('"id":8,')}]`],
  ['a batch inside of an object', `{"responses":[${THEIRS}]}`],
  ['an answer inside of an object', `{"response":${THEIRS}}`],
  ['an answer as text inside of an object', JSON.stringify({ body: THEIRS })],
  ['an answer as text', JSON.stringify(THEIRS)],
  ['a result without a version', '{"id":8,"result":{"content":[]}}'],
  ['an error without a version', '{"id":8,"error":{"code":-32602,"message":"no"}}'],
  ['an answer as a line of its own', `${OWN}${THEIRS}\n\n`],
  ['an answer before it, as a line of its own', `${THEIRS}\n\n${OWN}`, true],
  ['an answer in a field that no reader knows', `${OWN}Data: ${THEIRS}\n\n`],
  ['an answer behind a space', `${OWN} data: ${THEIRS}\n\n`],
  ['an answer in a comment', `: ${THEIRS}\n\n${OWN}`],
  ['an answer in lines of a comment', `: {"id":\n: 8,"result":{}}\n\n${OWN}`],
  ['an answer as the id of an event', `id: ${THEIRS}\n${OWN}`],
  ['an answer as the name of an event', `event: ${THEIRS}\n${OWN}`],
  ['an answer in a sign of life', `event: ping\ndata: ${THEIRS}\n\n${OWN}`],
  ['an answer beside words', `data: Too many requests\n\n${THEIRS}\n\n`],
  ['two ids, alone in a batch', '[{"jsonrpc":"2.0","id":8,"id":7,"result":{}}]'],
  ['two ids', '{"jsonrpc":"2.0","id":8,"id":7,"result":{}}'],
  ['two ids, one spelt out', '{"jsonrpc":"2.0","\\u0069d":8,"id":7,"result":{}}'],
  ['two documents', `${error('"id":7,')}\n${THEIRS}`],
  ['a comma behind', `${THEIRS},`],
  ['words before an answer', `Answer: ${THEIRS}`],
  ['words before an answer without a version', 'Answer: {"id":8,"result":{"content":[]}}'],
  ['the end of an answer', 'of Ann: 4711"}]},"id":8}'],
  ['the end of an answer, cut off', 'of Ann: 4711","id":8'],
  ['the end of an answer, cut off in the next', 'of Ann: 4711","id":8,"pa'],
  ['a number behind another', '4711, "id": 8'],
  ['a piece of an answer', '"id":8,"result":"4711'],
  ['a piece of an answer in lines', '"id": 8\n,"result": "4711"'],
  ['a number and another member', 'order "id": 7 has "balance": 4711'],
  ['an id that is spelt as text', 'of Ann: 4711\\", \\"id\\": 8'],
  ['the end of an answer, without its id', '"result":{"content":[{"type":"text","text":"of Ann: 4711"}]}}'],
  ['words of an answer and its end', 'of Ann: 4711"}]}}'],
  ['a piece of an answer without its id', '"result":{"content":[{"type":"text","text":"of Ann: 47'],
  ['a piece of its text', '"text": "of Ann: 47'],
  ['half of an answer without a version', '{"id":8,"result":{"balance":'],
  ['half of a text', JSON.stringify(THEIRS).slice(0, -5)],
  ['half of a list', `[${THEIRS}`],
  ['what tells of work', '{"jsonrpc":"2.0","method":"notifications/progress"}'],
  ['half of a message', error('"id":7,').slice(0, -5)],
  ['more than anybody reads', `{"a":"${'x'.repeat(1_000_001)}"}`],
])('%s may be for somebody else', (_what, body, isEvents?: boolean) => {
  expect(concernOf(body, 7, isEvents)).toBe('another');
});

it.each([
  ['a comment', `: paid\n\ndata: Too many requests\n\n`],
  ['the name of an event', `event: paid\ndata: Too many requests\n\n`],
  ['the id of an event', `id: order-991\ndata: Too many requests\n\n`],
])('%s beside words proves nothing', (_what, body) => {
  expect(concernOf(body, 7)).toBe('more');
});

it.each([
  ['a line of its own', `${OWN}paid\n\n`],
  ['a comment', `: paid\n\n${OWN}`],
  ['the name of an event', `event: paid\n${OWN}`],
  ['a sign of life', `event: ping\ndata: paid\n\n${OWN}`],
])('of events, %s is not told', (_what, body) => {
  expect(toldIn(body)).toBe(`data: ${error('"id":7,')}\n\n`);
});

it.each([
  ['a page', '<h1>busy</h1>'],
  ['JSON', THEIRS],
  ['a sentence', 'busy', true],
])('%s is told as it is', (_what, body, isEvents?: boolean) => {
  expect(toldIn(body, isEvents)).toBe(body);
});

it('data in several lines is told in as many', () => {
  expect(toldIn('event: a\r\ndata: one\r\ndata: two\r\n\r\n')).toBe('data: one\ndata: two\n\n');
});
