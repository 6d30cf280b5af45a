import { expect, it } from 'vitest';
import { isMoveAlone } from './moved.ts';

it.each([
  ['nothing', ''],
  [
    'nginx',
    '<html>\r\n<head><title>308 Permanent Redirect</title></head>\r\n<body>\r\n<center><h1>308 Permanent Redirect</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n',
  ],
  ['Express', 'Temporary Redirect. Redirecting to /mcp/'],
  ['Go', '<a href="/mcp/">Temporary Redirect</a>.\n'],
  [
    'Apache',
    '<p>The document has moved <a href="https://example.com/mcp">here</a>.</p><hr><address>Apache Server Port 443</address>',
  ],
  [
    'Werkzeug',
    '<p>You should be redirected automatically to the target URL: <a href="/mcp">/mcp</a>. If not, click the link.</p>',
  ],
  ['JSON', '{"message":"Moved Permanently","location":"https://example.com/mcp"}'],
])('follows what %s sends', (_who, body) => {
  const headers = new Headers({ location: '/mcp/', server: 'nginx', 'content-type': 'text/html' });
  expect(isMoveAlone({ headers, body })).toBe(true);
});

it.each<[string, Record<string, string>, string]>([
  ['words of work', {}, 'paid'],
  ['a receipt', {}, '{"receipt":991}'],
  ['the name of what was made', { 'x-order-id': '7' }, ''],
  ['a long page', {}, ' '.repeat(5000)],
  ['another script', {}, '支払い済み'],
])('does not believe %s', (_what, more, body) => {
  expect(isMoveAlone({ headers: new Headers({ location: '/mcp/', ...more }), body })).toBe(false);
});
