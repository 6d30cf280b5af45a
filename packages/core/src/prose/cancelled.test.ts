import { expect, it } from 'vitest';
import { readProse } from './index.ts';

it.each([
  'Order 7 cannot be cancelled because it has been shipped',
  'Event 7 cannot be cancelled',
  'Order is cancelled',
  'Order 7 was cancelled and cannot be refunded',
  'Subscription was cancelled; reactivate it first',
  'The meeting was cancelled by the organiser',
  'The organizer has cancelled this event',
  'Booking 12 cannot be cancelled because it has started',
  'Reservation 9 was cancelled by the guest',
  'Subscription 4 is cancelled; create a new one',
  'The flight was cancelled and cannot be rebooked',
  'Trip 8 is already cancelled',
  'Appointment 5 was canceled yesterday',
  'The order has been cancelled',
  'Ticket 33 cannot be canceled any more',
  'You cannot cancel a shipped parcel',
  'Meeting m1 was cancelled by its owner',
  'Shipment 7 was aborted by the carrier',
  'Class yoga-1 is cancelled on Friday',
  'This job was cancelled by an administrator and cannot be resumed',
  'Cancelled invoices cannot be paid',
  'The subscription was cancelled; it ends on 1 May',
  'Workflow run is already cancelled',
  'Cannot refund a cancelled order',
  'Job 17 was cancelled',
  'Build #88 has been aborted by bob and cannot be promoted',
])('a thing that is cancelled is in the way: %s', (text) => {
  expect(readProse(text)?.kind).toBe('conflict');
  expect(readProse(text)?.certainty).toBeGreaterThanOrEqual(0.7);
});

it.each([
  'Request cancelled',
  'The operation was cancelled',
  'The operation was aborted',
  'This operation was aborted',
  'Request aborted',
  'AbortError: The user aborted a request.',
  'Cancelled by user',
  'Call cancelled by the client',
  'canceled',
  'context canceled',
  'A task was canceled.',
  'The request was cancelled by the caller',
  'Request 42 was cancelled',
  'The query was cancelled',
  'The user has cancelled the dialog',
  'Tool call was aborted',
  'The tool execution was cancelled by the user',
])('a call that is cancelled is cancelled: %s', (text) => {
  expect(readProse(text)?.kind).toBe('cancelled');
});
