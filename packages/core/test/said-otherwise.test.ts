/** What makes a fault document that says `no` doubtful: anything beside it, or in it, that is not the failure said again. */
import { describe, expect, it } from 'vitest';
import { document, executed, type Members, problem, refused, said, thrown } from './declared-wires.ts';

const text = { type: 'text', text: 'Too many requests' } as const;

describe('a block of other words', () => {
  it.each([
    'No errors',
    'There is no problem',
    'Retrying in 5 s',
    'Only the mail is missing',
    'Call again to get the receipt',
    'No further action required',
    'It will be processed shortly',
    '1 row affected',
    'id=991',
    'pay_991',
    '991',
    '#991',
    'Zahlung gebucht',
    'Der Betrag wurde abgebucht',
    'Le virement a été effectué',
    'El pago se ha realizado',
    '支払いは完了しました',
    '付款已完成',
    'Платёж проведён',
    'Balance now: 900 EUR',
    'Your new balance is 900',
    'Step 1 of 2 done',
    '✅ pay',
    '✓',
    'Confirmation mail could not be sent',
    'The receipt was not sent',
    'Done. Too many requests',
    'OK',
    'Success',
    'See https://shop.example/orders/991',
    'https://shop.example/receipts/pay_991',
    'Do not pay again',
    'Do not retry.',
    'Never repeat this call.',
    'Too many requests for the mail service',
    'Upstream rate limit exceeded',
    'Too many requests after the payment',
    'Limit reached with this request',
    'The second request was rate limited',
    'Rate limit exceeded after 3 of 5 items',
    'Your payment is in',
    'Thank you for your order',
    'Ada was notified',
    'Transaction 0xabc submitted',
    'Charge ch_3Nx succeeded',
    'Job queued as j-7',
    'Order number: 991',
    'Reference: pay_991',
    'Retried 3 times',
    'All items but one are in the cart',
    'We have your request, please wait',
    'Your request is being handled, please wait',
    'Next: send the receipt',
    'Remaining balance: 900',
    'Funds are on their way',
    '{"id":"pay_991","status":"succeeded"}',
    '{"rows":1}',
    '[{"id":991}]',
    'bm90aGluZyB0byBzZWUgaGVyZQ==',
  ])('%s', (other) => {
    expect(executed(said({}, 'Too many requests', other))).toBe('maybe');
    expect(executed(said({}, other))).toBe('maybe');
    expect(executed(said({}, `Too many requests. ${other}`))).toBe('maybe');
  });

  it.each<readonly [string, object]>([
    [
      'a resource',
      { type: 'resource', resource: { uri: 'receipt://991', text: 'Receipt 991', mimeType: 'text/plain' } },
    ],
    ['a link', { type: 'resource_link', uri: 'order://991', name: 'order 991' }],
    ['a picture', { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }],
    ['a sound', { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
    ['a kind of block that nobody knows', { type: 'payment', payment: 'pay_991' }],
    ['a member of a text', { ...text, payment: 'pay_991' }],
    ['notes of a text', { ...text, _meta: { 'acme/payment': 'pay_991' } }],
    ['a text in the place of a block', 'Payment booked' as unknown as object],
  ])('%s', (_what, block) => {
    expect(executed(refused({ content: [text, block] }))).toBe('maybe');
  });

  it('content that is no list', () => {
    expect(executed(refused({ content: 'Your new balance is 900' }))).toBe('maybe');
    expect(executed(refused({ content: { type: 'text', text: 'id=991' } }))).toBe('maybe');
  });
});

describe('structured content', () => {
  it.each<object>([
    { paid: true },
    { id: 'pay_991' },
    { id: 991 },
    { order: { number: 991 } },
    { status: 'succeeded' },
    { status: 200 },
    { status: 'complete' },
    { executed: 'yes' },
    { executed: true },
    { balance: 900 },
    { rowsAffected: 1 },
    { count: 1, rows: [{ id: 1 }] },
    { steps: ['charged'] },
    { created_at: '2026-11-18' },
    { partial: true },
    { receipt_url: 'https://x.example/r/1' },
    { success: true },
    { ok: true, error: 'Too many requests' },
    { isError: false },
    { error: null, data: { id: 7 } },
    { refunded: false, error: 'Too many requests' },
    { retryable: false },
    { error: { message: 'Too many requests', payment: 'pay_991' } },
    { error: { code: 'rate_limited', details: { transaction: '0xabc' } } },
    { message: 'Your new balance is 900' },
    { next: 'send_receipt' },
    { failed: ['mail'] },
    { failed: 1, total: 3 },
    { progress: 50 },
    { result: true },
    { remaining: 3, processed: 2 },
    { state: 'open' },
    { ...document(), payment: 'pay_991' },
    { ...document(), message: 'Payment pay_991 booked' },
    { ...document(), retryable: false },
    { a: { b: { c: { d: { e: { f: { g: { h: { i: 'x' } } } } } } } } },
    ['pay_991'],
    [1],
  ])('%j', (structuredContent) => {
    expect(executed(refused({ structuredContent }))).not.toBe('no');
  });
});

describe('notes', () => {
  it.each<Members>([
    { 'acme/payment': 'pay_991' },
    { 'acme/rows-affected': 1 },
    { 'acme/receipt': { number: 991 } },
    { 'acme/status': 'booked' },
    { 'dev.mayday/executed': 'yes' },
    { 'dev.mayday/executed': 'maybe' },
    { 'dev.mayday/error': { happened: 'maybe' } },
    { 'dev.mayday/error': { code: -32_000, data: { payment: 'pay_991' } } },
    { 'dev.mayday/error': { content: [{ type: 'image', data: 'aa', mimeType: 'image/png' }] } },
    { 'dev.mayday/problem': { ...document(), payment: 'pay_991' } },
    { payment_id: 'pay_991' },
    { success: true },
    { id: 'pay_991' },
  ])('%j', (_meta) => {
    expect(executed(refused({}, {}, _meta))).not.toBe('no');
  });
});

describe('members of the result', () => {
  it.each<Members>([
    { payment: 'pay_991' },
    { task: { taskId: 't1' } },
    { resultType: 'partial' },
    { toolResult: { id: 991 } },
    { error: { code: -32_003, message: 'Rate Limited', data: { payment: 'pay_991' } } },
    { error: 'Payment booked, then limited' },
  ])('%j', (members) => {
    expect(executed(refused(members))).toBe('maybe');
  });
});

describe('the document itself', () => {
  it.each<Members>([
    { message: 'Payment pay_991 booked, but the mail is rate limited' },
    { message: 'Payment booked' },
    { message: 'Zahlung gebucht, Mail begrenzt' },
    { message: 'Too many requests; 3 of 5 rows were written' },
    { details: { payment_id: 'pay_991' } },
    { details: { paymentId: 991 } },
    { details: { payment: 'pay_991' } },
    { details: { booked: true } },
    { details: { status: 'charged' } },
    { details: { step: { name: 'charge', state: 'completed' } } },
    { details: { receipt: 'https://x.example/r/1' } },
    { details: { order: 41 } },
    { details: { booking: { number: 41 } } },
    { details: { confirmation_code: 'ABC41' } },
    { details: { reference: 'ORD-41' } },
    { details: { result: 'fine' } },
    { details: { success: true } },
    { details: { rows_affected: 1 } },
    { details: { new_balance: 900 } },
    { details: { url: 'https://shop.example/orders/41' } },
    { details: { created: ['41'] } },
    { message: 'order 41 was placed, but rate limited' },
    { message: 'Order 41 exists. Too many requests' },
    { message: 'Your order number is 41. Too many requests' },
    { message: 'Too many requests after order 41' },
    { message: 'Too many requests since order 41 was placed' },
    { message: 'Placed order 41 without a receipt: too many requests' },
    { message: 'OK: too many requests' },
    { message: `${'Too many requests. '.repeat(150)}Payment booked` },
    { advice: 'Order 41 exists; look at it first.' },
    { advice: 'The payment went through; do not pay again.' },
    { advice: 'Do not call again.' },
    { name: 'PartiallyDone' },
    { retry: { when: 'after_wait', after_ms: 5000, created: 1 } },
    { retry: { when: 'after_wait', count: 1 } },
    { retry: 'order 41 was created' },
    { subject: { type: 'tool', id: 'pay', booking: { id: '41' } } },
    { native: { dialect: 'mcp', code: -32000, status: 'created' } },
    { native: { dialect: 'mcp', message: 'order 41 was created' } },
    { native: { message: 'Too many requests', order: 41 } },
    { native: { message: 'order 41 was created' } },
    { native: ['order 41'] },
    { details: { steps: ['reserve'] } },
    { details: { orders: [41] } },
    { details: { completed: [{ step: 'reserve' }] } },
    { details: { progress: '1/2' } },
    { details: { rows: 1 } },
    { booked: 'pay_991' },
    { payment: 'pay_991' },
    { issues: [{ path: ['x'], message: 'payment booked' }] },
    { kind: 'unavailable', message: 'Booked as b_7; the mail service is down' },
    {
      kind: 'conflict',
      reaction: 'terminal',
      retryable: false,
      retry: { when: 'never' },
      message: 'Payment booked as pay_991, but the receipt mail failed: 503',
    },
  ])('%j', (fault) => {
    expect(executed(said(fault, String(fault['message'] ?? 'Too many requests')))).toBe('maybe');
  });
});

describe('an error', () => {
  it.each<readonly [string, object]>([
    ['words over its document', thrown('Payment pay_991 booked, then limited')],
    ['words that its document does not say', thrown('Your new balance is 900')],
    ['a member of its data', thrown('Too many requests', { payment: 'pay_991' })],
    ['an empty word', thrown('OK')],
    ['its own document', thrown('Payment booked', {}, { message: 'Payment booked' })],
  ])('%s', (_what, value) => {
    expect(executed(value)).toBe('maybe');
  });
});

describe('a problem', () => {
  it.each<Members>([
    { payment: 'pay_991' },
    { instance: '/payments/pay_991' },
    { title: 'Payment booked' },
    { detail: 'Payment booked, then limited' },
    { balance: 900 },
    { status: 200 },
  ])('%j', (more) => {
    expect(executed(problem(more))).toBe('maybe');
  });
});

describe('what stood at a door, beside what it comes to', () => {
  const apigee = {
    fault: {
      faultstring:
        'Spike arrest violation. Allowed rate : MessageRate{messagesPerPeriod=5, periodInMicroseconds=1000000, maxBurstMessageCount=1.0}',
      detail: { errorcode: 'policies.ratelimit.SpikeArrestViolation' },
    },
  };
  const beside = (value: object): object => said({}, 'Too many requests', JSON.stringify(value));

  it('says no more than the document', () => {
    expect(executed(beside(apigee))).toBe('no');
    expect(executed(refused({}, {}, { 'dev.mayday/error': apigee }))).toBe('no');
  });

  it.each([
    { ...apigee, order: 991 },
    { ...apigee, paid: true },
    { ...apigee, retryable: false },
    { fault: { ...apigee.fault, faultstring: `${apigee.fault.faultstring} Order 41 placed` } },
    { message: 'Retrying in 5 s' },
    { message: 'Too many requests. Do not repeat this call.' },
    { message: 'Too many requests', path: '/orders/991' },
  ])('tells otherwise where it has more to say: %j', (value) => {
    expect(executed(beside(value))).toBe('maybe');
  });
});
