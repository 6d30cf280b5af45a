/** A command is one wherever it stands: in a page, a list, a setting. */
import { expect, it } from 'vitest';
import { redact } from './index.ts';

it.each([
  '<pre>sshpass -p P5exTrhndTzxNU ssh a</pre>',
  '<code>curl -u svc:P5exTrhndTzxNU https://x.example</code>',
  '<b>mysql -u root -pP5exTrhndTzxNU shop</b>',
  '[redis-cli -a P5exTrhndTzxNU ping]',
  'run=mysql -u root -pP5exTrhndTzxNU shop',
])('%s', (text) => {
  expect(redact(text).value).not.toContain('P5exTrhndTzxNU');
});

it.each(['see man.mysql -p for more', 'https-curl -u is unknown'])('%s stays', (text) => {
  expect(redact(text).value).toBe(text);
});
