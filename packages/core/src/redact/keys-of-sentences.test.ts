/** The key that a sentence stands under is no label of the numbers in it. */
import { expect, it } from 'vitest';
import { redact } from './index.ts';

const KEYS = ['message', 'payment', 'order', 'event', 'request', 'ticket', 'transaction', 'invoice'];

it.each(KEYS.map((key) => [key]))('a card in a sentence under `%s` is a card', (key) => {
  for (const [said, told] of [
    ['Card 4111111111111111 declined', 'Card [card:1] declined'],
    ['card 378282246310005 declined', 'card [card:1] declined'],
    ['4242424242424242 refused', '[card:1] refused'],
    ['Declined card 4111111111111111', 'Declined card [card:1]'],
  ] as const)
    expect(redact({ [key]: said }).value).toEqual({ [key]: told });
  expect(redact({ error: { [key]: 'Card 4111111111111111 declined' } }).value).toEqual({
    error: { [key]: 'Card [card:1] declined' },
  });
});

it('a number alone is what its key calls it', () => {
  for (const value of [
    { order: '4111111111111111' },
    { ticket: '#4111111111111111' },
    { gtin: '00012345600012' },
  ])
    expect(redact(value).value).toEqual(value);
});
