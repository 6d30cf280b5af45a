/** Somebody who was asked has said no: the words are told, and nobody is asked again. */
import { expect, it } from 'vitest';
import { said } from './thrown.ts';

const NEXT = 'The answer was no; do not ask again unless told to.';

it.each([
  'The user declined the request',
  'User rejected the confirmation',
  'User declined',
  'Operation cancelled by user',
  'Confirmation declined by the user',
  'User did not approve the transfer',
  'The elicitation was declined',
])('is not asked again: %s', async (text) => {
  expect(await said(new Error(text), { id: 7 })).toEqual(['cancelled', `${text}. ${NEXT}`]);
});

it.each([
  'User cancelled the operation',
  'Request denied by the user.',
  'The user said no',
  'The reviewer has rejected the action',
  'The confirmation dialog was dismissed',
  "User didn't confirm",
])('unseen: is not asked again: %s', async (text) => {
  expect(await said(new Error(text), { id: 7 })).toEqual([
    'cancelled',
    `${text.replace(/\.$/, '')}. ${NEXT}`,
  ]);
});

it.each([
  ['User rejected the change: use a shorter title', 'unprocessable'],
  ['Attendee bob has declined', 'unprocessable'],
  ['Card was declined', 'unprocessable'],
  ['The user aborted a request.', 'internal'],
  ['Query cancelled by user', 'internal'],
])('is something else: %s', async (text, kind) => {
  const [told, words] = await said(new Error(text), { id: 7 });
  expect([told, words.includes(NEXT)]).toEqual([kind, false]);
});
