/** A sentence that only says which status came back is followed by what the backend said with it. */
import { expect, it } from 'vitest';
import { error, said } from './thrown.ts';

const SAYS = 'SKU T-1 is out of stock';
const HOLDERS: readonly (readonly [string, object])[] = [
  ['body', { status: 409, body: { message: SAYS } }],
  ['response.data', { response: { status: 409, data: { message: SAYS } } }],
];

it.each([
  'Shop API returned 409',
  'Shop API returned status 409',
  'Shop responded with 409',
  'Server responded with 409',
  'Shop answered 409',
  'Unexpected response: 409',
  'Shop API error: 409',
  'Bad status: 409',
])('%s', async (sentence) => {
  for (const [, holder] of HOLDERS) {
    const [kind, words] = await said(error(sentence, holder), { sku: 'T-1' });
    expect([kind, words]).toEqual(['conflict', expect.stringContaining(SAYS)]);
  }
});

it('but not one that says more', async () => {
  for (const [, holder] of HOLDERS)
    expect((await said(error('Seat B4 is taken', holder)))[1]).toMatch(/^Seat B4 is taken\. /);
});
