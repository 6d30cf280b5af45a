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

it.each([
  'MetaMask Tx Signature: User denied transaction signature.',
  'The user closed the dialog',
  'Consent was not given',
  'access_denied: The user denied the request',
  'Aborted by user',
  'Deletion not confirmed by user',
  'Permission to run this command was denied by the user',
  'User chose not to continue',
  'Approval was rejected by ada',
  'Benutzer hat abgelehnt',
  'The user did not approve the deletion',
  'User denied permission',
  'User refused to share location',
  'Confirmation declined',
  'User said no',
  'user rejected action (action="requestAccess", reason="rejected", code=ACTION_REJECTED)',
  'User rejected the request.',
  'MetaMask Message Signature: User denied message signature.',
  'User denied account authorization',
  'User denied account access',
  'Transaction was rejected by the user',
  'The user cancelled the sign-in',
  'User canceled the login flow',
  'The popup has been closed by the user before finalizing the operation.',
  'popup_closed_by_user',
  'user_cancelled: User cancelled the flow.',
  'access_denied: User denied access',
  'The user dismissed the prompt',
  'Prompt was dismissed',
  'The user did not grant permission',
  'User has not given consent',
  'Action not approved by the user',
  "The user doesn't want to proceed with this tool use.",
  'User interrupted the operation',
  'Tool call rejected by user',
  'Command rejected by user',
  'The human rejected this action',
  'Der Benutzer hat die Anfrage abgelehnt',
  'Vom Benutzer abgebrochen',
  "L'utilisateur a refusé la demande",
  'El usuario rechazó la solicitud',
  'User denied Geolocation',
  'Location permission denied by user',
  'User opted not to proceed',
  'Operation was not confirmed by the user',
  'User did not confirm the payment',
  'The user declined to answer',
  'User clicked Cancel',
  'User pressed Cancel',
  'The user closed the window',
  'User closed modal',
  'The user has withdrawn consent',
  'No consent from the user',
  'The request was not approved by the user',
  'User aborted',
  'Cancelled by the user',
  'User dismissed the payment sheet',
  'Signing was rejected by the user',
  'The signature request was declined by the user',
  'Error: User rejected the request.',
])('is a no in the usual forms: %s', async (text) => {
  const [kind, words] = await said(new Error(text), { id: 7 });
  expect([kind, words.endsWith(NEXT)]).toEqual(['cancelled', true]);
});

it.each([
  ['Attendee bob has declined', 'unprocessable'],
  ['Card was declined', 'unprocessable'],
  ['Your card was declined.', 'unprocessable'],
  ['Payment declined by the bank', 'unprocessable'],
  ['The request was declined', 'unprocessable'],
  ['The reviewer rejected the change: tests are missing', 'invalid_arguments'],
  ['User rejected the change: use a shorter title', 'unprocessable'],
  ['Query cancelled by user', 'internal'],
  ['The user aborted a request.', 'internal'],
  ['User is not allowed to delete this', 'forbidden'],
  ['User not found', 'not_found'],
  ['User denied by policy', 'unprocessable'],
  ['Access denied for user ada', 'misconfigured'],
  ["Access denied for user 'svc'@'10.0.0.5' (using password: YES)", 'misconfigured'],
  ['Permission denied', 'forbidden'],
  ['access_denied: You do not have permission', 'forbidden'],
  ['access_denied: insufficient scope', 'forbidden'],
  ['access_denied: The resource owner or authorization server denied the request', 'forbidden'],
  ['User has not verified the email address', 'unprocessable'],
  ['User account is closed', 'unprocessable'],
  ['Consent is required', 'approval_required'],
  ['User consent required', 'approval_required'],
  ['Approval required', 'approval_required'],
  ['Order 7 was cancelled by the customer', 'conflict'],
  ['The ticket was closed by the user', 'unprocessable'],
  ['User ada does not have access', 'forbidden'],
  ['Invitation was declined by bob', 'unprocessable'],
  ['Friend request was rejected by ada', 'internal'],
  ['The user has already rejected this offer', 'conflict'],
  ['Transaction rejected by the network', 'internal'],
  ['transaction rejected: nonce too low', 'invalid_arguments'],
  ['Application was rejected by the bank', 'internal'],
  ['Merge request not approved', 'internal'],
  ['Message was not confirmed by the broker', 'internal'],
  ['Order not confirmed', 'internal'],
  ['Email not confirmed', 'internal'],
  ['Payment not confirmed by the bank', 'internal'],
  ['Transaction not confirmed within 60 seconds', 'internal'],
  ['Popup blocked by the browser', 'internal'],
  ['The dialog could not be opened', 'not_ready'],
  ['User closed', 'unprocessable'],
  ['Connection closed by the client', 'disconnected'],
  ['Session closed by user agent', 'disconnected'],
  ['Claim 7 was not approved by the insurer', 'internal'],
  ['User cancelled their subscription', 'internal'],
  ['User has no permission', 'forbidden'],
  ['User did not provide an email', 'invalid_arguments'],
  ['The user did not set a default address', 'internal'],
  ['User did not match any record', 'not_found'],
  ['Denied: user is blocked', 'forbidden'],
  ['Request denied: quota exceeded', 'quota_exhausted'],
])('only sounds like it: %s', async (text, kind) => {
  expect((await said(new Error(text), { id: 7 }))[0]).toBe(kind);
});
