/** What stands before, in and behind an answer, and is no part of it: a refusal among it proves nothing. */
import { read } from '@mayday/core';
import { expect, it } from 'vitest';
import { cut } from '../../../test/bytes.ts';
import { wholeHead } from '../whole-head.ts';
import { ResponseReader } from './response-reader.ts';

/** Did what is refused like this happen? */
function executedOf(...chunks: readonly Buffer[]): string | undefined {
  let executed: string | undefined;
  let body = '';
  const reader = new ResponseReader('POST', {
    onHead: () => {},
    onData: (data) => {
      body += data.toString();
    },
    onComplete: (head) => {
      const reading = read({ http: { ...wholeHead(head), body } });
      executed = reading.failure ? reading.fault.executed : 'it is no failure';
    },
  });
  for (const chunk of chunks) reader.push(chunk);
  return executed;
}

const LIMIT = 'HTTP/1.1 429 Too Many Requests\r\n';
const EMPTY = `${LIMIT}Content-Length: 0\r\n\r\n`;
const WORDS = `${LIMIT}Content-Length: 17\r\n\r\nToo many requests`;
const chunked = (extension = '', behind = ''): string =>
  `${LIMIT}Transfer-Encoding: chunked\r\n\r\n11${extension}\r\nToo many requests\r\n0${behind}\r\n\r\n`;

it.each([
  ['alone', EMPTY],
  ['with its words', WORDS],
  ['in chunks', chunked()],
  ['after 100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${EMPTY}`],
  ['after 100 without words', `HTTP/1.1 100\r\n\r\n${EMPTY}`],
  ['after early hints', `HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n${EMPTY}`],
])('a door refuses: %s', (_how, wire) => {
  expect(executedOf(Buffer.from(wire))).toBe('no');
  expect(executedOf(...cut(Buffer.from(wire), [20, 40, 60]))).toBe('no');
});

it.each([
  ['a second answer', `${EMPTY}HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\npayment accepted`],
  ['words behind its length', `${WORDS} payment booked`],
  ['something behind its last chunk', `${chunked()}payment booked`],
  ['a line end behind it', `${EMPTY}\r\n`],
  ['an extension of a chunk', chunked(';note="payment booked"')],
  ['an extension of the last chunk', chunked('', ';order=991')],
  ['other words in 100', `HTTP/1.1 100 Payment booked\r\n\r\n${EMPTY}`],
  ['other words in 103', `HTTP/1.1 103 Payment booked\r\n\r\n${EMPTY}`],
  ['a header in 100', `HTTP/1.1 100 Continue\r\nX-Order-Id: 991\r\n\r\n${EMPTY}`],
  ['a link to an item', `HTTP/1.1 103 Early Hints\r\nLink: </orders/991>; rel=preload\r\n\r\n${EMPTY}`],
])('nobody knows what happened: %s', (_what, wire) => {
  expect(executedOf(Buffer.from(wire))).toBe('maybe');
});
