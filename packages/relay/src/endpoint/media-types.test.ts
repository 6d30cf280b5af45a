import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { asksForStreams, wrongMedia } from './media-types.ts';

const status = (method: string, headers: { [name: string]: string }): number | undefined =>
  wrongMedia({ method, headers } as unknown as IncomingMessage)?.status;

it.each([
  [undefined, 415],
  ['application/json', undefined],
  ['Application/JSON; charset=utf-8', undefined],
  ['application/vnd.acme+json', undefined],
  ['text/plain;charset=UTF-8', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/jsonl', 415],
  ['multipart/form-data; boundary=application/json', 415],
])('a message that is %s: %s', (type, expected) => {
  expect(status('POST', type === undefined ? {} : { 'content-type': type })).toBe(expected);
});

it.each([
  ['gzip', 415],
  ['br', 415],
  ['gzip, identity', 415],
  ['identity', undefined],
  ['Identity', undefined],
  ['', undefined],
])('a message that is packed with %j: %s', (coding, expected) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': coding };
  expect(status('POST', headers)).toBe(expected);
});

it.each([
  [undefined, undefined, undefined],
  ['', undefined, undefined],
  ['*/*', undefined, undefined],
  ['application/json, text/event-stream', undefined, undefined],
  ['TEXT/EVENT-STREAM', undefined, undefined],
  ['text/html, text/*;q=0.5', undefined, undefined],
  ['application/json', undefined, 406],
  ['application/*', undefined, 406],
  ['text/html', 406, 406],
  ['application/json;q=0', 406, 406],
  ['application/json; q=0.000, text/event-stream;Q=0', 406, 406],
  ['*/*;q=0', 406, 406],
  ['application/json;q=0, */*;q=0.1', undefined, undefined],
  ['*/*, text/event-stream;q=0', undefined, 406],
  ['*/*;q=0, text/*', undefined, undefined],
  ['application/json;q=0.05', undefined, 406],
  ['application/json, text/html;q=0', undefined, 406],
  ['image/png, application/xml', 406, 406],
])('who accepts %s: a message %s, a stream %s', (accept, message, stream) => {
  const headers: { [name: string]: string } = accept === undefined ? {} : { accept };
  expect([
    status('POST', { ...headers, 'content-type': 'application/json' }),
    status('GET', headers),
    status('DELETE', headers),
  ]).toEqual([message, stream, undefined]);
});

it.each([
  ['application/json, text/event-stream', true],
  ['Text/Event-Stream', true],
  ['text/event-stream;q=0, application/json', false],
  ['*/*', false],
  [undefined, false],
])('knows whether %s asks for streams', (accept, asks) => {
  expect(asksForStreams({ accept })).toBe(asks);
});
