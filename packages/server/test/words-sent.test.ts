/** What the caller sent is told back to it in the words of an exception, unless it is a secret by its name. */
import { describe, expect, it } from 'vitest';
import { said } from './thrown.ts';

describe('what the caller sent stays', () => {
  it.each<readonly [string, object, string]>([
    ['No file /home/ann/notes/todo.md', { path: '/home/ann/notes/todo.md' }, 'unprocessable'],
    ['Phone number +49 170 1234567 is not reachable', { phone: '+49 170 1234567' }, 'unavailable'],
    ['Phone number +491701234567 is invalid', { phone: '+49 170 1234567' }, 'unprocessable'],
    ['IBAN DE89370400440532013000 not found', { iban: 'DE89 3704 0044 0532 0130 00' }, 'not_found'],
    ['Cannot reach host db-7.internal', { host: 'db-7.internal' }, 'unavailable'],
    [
      'Token 0x6B175474E89094C44Da98b954EedeAC495271d0F not found',
      { address: '0x6B175474E89094C44Da98b954EedeAC495271d0F' },
      'not_found',
    ],
    ['API key a8Kq2x9Zt4mW7rB5 not found', { id: 'a8Kq2x9Zt4mW7rB5' }, 'not_found'],
    ['Render of report-2026-q3.pdf gave nothing', { file: 'report-2026-q3.pdf' }, 'unprocessable'],
  ])('%s', async (words, args, kind) => {
    const [told, text] = await said(new Error(words), args);
    expect(told).toBe(kind);
    expect(text).toContain(words);
  });

  it.each<readonly [string, object]>([
    ['Cannot reach host db-7.internal', {}],
    ['Cannot reach host db-7.internal', { host: 'db-8.internal' }],
    ['No file /home/ann/notes/todo.md', { path: '/home/bob/notes.md' }],
    ['Phone number +491701234567 is invalid', { phone: '+49 170 1234568' }],
    ['Token a8Kq2x9Zt4mW7rB5 not found', { token: 'a8Kq2x9Zt4mW7rB5' }],
    ['Token a8Kq2x9Zt4mW7rB5 not found', { name: 'token', value: 'a8Kq2x9Zt4mW7rB5' }],
    ['token=a8Kq2x9Zt4mW7rB5 not found', { id: 'a8Kq2x9Zt4mW7rB5' }],
    ['Password hunter2-blue-9931 is wrong', { text: 'hunter2-blue-9931' }],
    ['Worker thread died on report-2026-q3.pdf', { file: 'report-2026-q3.pdf' }],
  ])('but not what it did not send, or what is a secret: %s %j', async (words, args) => {
    expect((await said(new Error(words), args))[1]).not.toContain(words);
  });
});
