/** Words of HTTP with their status beside them, and what is known to be a secret in them afterwards. */
import { read } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import type { Heard, SaidHttp } from '@mayday/relay';
import { expect, it } from 'vitest';
import { wordsByStatus } from './by-status.ts';

function told(status: number, body: string): string {
  const reading = read({ http: { status, headers: { 'content-type': 'text/plain' }, body } });
  if (!reading.failure) throw new TypeError('Expected a failure');
  const said = { status, body: Buffer.from(body) } as unknown as SaidHttp;
  return wordsByStatus(said, reading as unknown as Heard).fault.message;
}

it.each([
  [502, 'upstream is gone.', 'upstream is gone (HTTP 502)'],
  [500, 'password:\nTr0ub4dorX', 'HTTP 500:\npassword:\n[password:1]'],
  [
    502,
    '\x1b[31mpassword:\x1b[0m\n\x1b[33mTr0ub4dorX\x1b[0m',
    'HTTP 502:\n\x1b[31mpassword:\x1b[0m\n\x1b[33m[password:1]\x1b[0m',
  ],
  [502, 'user\tpassword\nsvc\tTr0ub4dorX\n', 'HTTP 502:\nuser\tpassword\nsvc\t[password:1]'],
])('HTTP %i with %j is %j', (status, body, words) => {
  expect(redact(told(status, body)).value).toBe(words);
});
