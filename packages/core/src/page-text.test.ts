import { expect, it } from 'vitest';
import { threadClock } from '../../../bench/measure.ts';
import { inOneLine, isPage, pageText } from './page-text.ts';

it.each([
  [
    '<!doctype html><html><head><title>502 Bad Gateway</title><style>p{}</style></head><body><h1>502</h1><p>Upstream maintenance until 18:00 UTC</p><p>Ticket <b>OPS</b>-17</p></body></html>',
    '502 Upstream maintenance until 18:00 UTC Ticket OPS-17',
  ],
  ['<html><body>a<!-- no > word -->b<script>if (a < b) x()</script> c', 'ab c'],
  ['<html><body>Tom &amp; Ann &#39;s &#x3C;b&#x3e; &unknown; &#xd800;', "Tom & Ann 's <b> &unknown;"],
  ['<html><body>cut <p', 'cut'],
  ['<html><body>cut <script>never closed', 'cut'],
  ['<html></html>', ''],
])('%j says %j', (page, words) => {
  expect([isPage(page), pageText(page)]).toEqual([true, words]);
});

it.each(['', 'plain', '<Error><Code>NoSuchKey</Code></Error>', '{"html":"<b>"}'])('%j is no page', (text) => {
  expect(isPage(text)).toBe(false);
});

it('takes no longer than the page is long', () => {
  const since = threadClock();
  for (const page of [
    '<html>'.repeat(100_000),
    `<html>${'<!--'.repeat(100_000)}`,
    `<html>${'<script>'.repeat(100_000)}`,
  ])
    pageText(page);
  expect(threadClock() - since).toBeLessThan(2000);
});

it.each([
  ['404 page not found\n', '404 page not found'],
  ['<h1>502 Bad Gateway</h1>', '502 Bad Gateway'],
  [
    '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<h1>404 Not Found</h1></body>',
    '404 Not Found',
  ],
  [
    '<!DOCTYPE html><head><title>Error</title></head><body><pre>Cannot POST /mcp</pre></body>',
    'Cannot POST /mcp',
  ],
  ['<html><title>Access denied &amp; logged</title></html>', 'Access denied & logged'],
  [`a ${'b'.repeat(300)}`, 'a …'],
  [`${'word '.repeat(50)}`, `${'word '.repeat(40)}…`],
  ['user\tpassword\nsvc\tTr0ub4dorX', 'user password svc [password:1]'],
  ['password:\nTr0ub4dorX\n', 'password: [password:1]'],
  ['', ''],
])('%j in one line is %j', (body, line) => {
  expect(inOneLine(body)).toBe(line);
});
