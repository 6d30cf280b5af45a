/** What a sentence says of a thing's state is no work of this call. */
import { expect, it } from 'vitest';
import { tellsOfDone } from './done.ts';

it.each([
  'Order 7 was cancelled and cannot be refunded',
  'Invoice 12 has been sent and cannot be edited',
  'Message 3 was deleted and cannot be restored',
  'Payment pay_1 was refunded and cannot be captured',
  'Release v2 has been published and cannot be changed',
  'Ticket 5 was closed and cannot be edited',
  'The event was created by Bob and cannot be moved by you',
  'The file was created in another workspace and cannot be opened',
  'Row 3 was inserted by a migration and could not be deleted',
  'Subscription 9 was cancelled and cannot be renewed',
  'Contract 4 has been signed and cannot be changed',
  'Parcel 8 was shipped and cannot be recalled',
  'Email 14 has been sent and cannot be unsent',
  'Account bob was suspended and cannot be used',
  "Ticket 77 was archived and can't be commented on",
  'The document was created by Anna and could not be shared',
  'Booking 31 has been paid and cannot be moved',
  'Job 3 was started by another user and cannot be stopped',
  'Draft 12 was published and could not be edited',
  'This voucher was issued for another shop and cannot be redeemed',
  'Version 2.1 has been released and cannot be overwritten',
  'The record was imported from SAP and cannot be edited here',
  'Order 7 was shipped, it cannot be cancelled',
  'Order 7 was shipped; it cannot be cancelled any more',
  'Cannot edit invoice 12: it has been sent',
  'Invoice 12 has been sent so it cannot be edited',
  'The order is confirmed and cannot be changed',
  'Those seats were reserved by someone and cannot be booked',
  'These items have been ordered and cannot be removed',
  'Your payment was refunded and can no longer be captured',
  'A closed ticket was assigned to you and cannot be reopened',
  'Refund rejected: order 7 was paid by voucher',
  'Payment was captured last week and could not be voided',
  'The task was completed yesterday and could not be reassigned',
])('tells of a state: %s', (words) => {
  expect(tellsOfDone(words)).toBe(false);
});

it.each([
  'Created the order, but the mail failed',
  'Created the invoice, but the email could not be sent',
  'The order was placed but the confirmation mail failed',
  'Uploaded 3 of 5 files, then the connection broke',
  'File saved, but the index could not be updated',
  'Charged the card, but the receipt was not written',
  'Added the user but failed to send the invitation',
  'Added to the cart, but the voucher could not be applied',
  'Event created, but the invitations could not be sent',
  'The order was created and the payment could not be captured',
  'The user was added and the mail could not be sent',
  'Payment was captured and the receipt failed',
  'Invoice 12 has been sent, but the ledger could not be updated',
  'The row was inserted and then the connection was lost',
  'Order 7 was paid and sending the receipt failed',
  'Ticket closed and comment could not be posted',
  'Saved the file; it could not be indexed',
  'Payment captured, but it could not be confirmed',
  'The order was saved but could not be submitted',
])('tells of a step: %s', (words) => {
  expect(tellsOfDone(words)).toBe(true);
});
