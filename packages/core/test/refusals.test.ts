import { describe, expect, it } from 'vitest';
import { type Executed, read } from '../src/index.ts';
import { http, OWN_REFUSALS, rpc } from './own-refusals.ts';

function executed(value: unknown): Executed | 'success' {
  const reading = read(value, { now: 0 });
  return reading.failure ? reading.fault.executed : 'success';
}

describe('a refusal that says what is wrong with the request is proof', () => {
  it.each(OWN_REFUSALS)('%j', (wire) => {
    expect(executed(wire)).toBe('no');
  });
});

describe('a refusal that says more is none', () => {
  it.each([
    rpc(-32602, 'Payment booked; receipt address invalid'),
    rpc(-32602, 'Payment made; receipt address invalid'),
    rpc(-32602, 'Payment 7: receipt address invalid'),
    rpc(-32602, 'ok 7: invalid'),
    rpc(-32602, '支払い完了; invalid mail'),
    rpc(-32602, 'Invalid email (reservation R7 made)'),
    http(400, '{"name":"order 7"}'),
    http(400, '{"data":7}'),
    rpc(-32602, 'Zahlung gebucht; Quittung fehlgeschlagen'),
    rpc(-32601, 'Zahlung gebucht; Quittung fehlgeschlagen'),
    rpc(-32602, 'Betrag überwiesen; Adresse invalid'),
    rpc(-32602, 'Paiement effectué, adresse invalide'),
    rpc(-32602, 'Invalid params', { orderId: 7 }),
    rpc(-32602, 'Invalid params', { orderId: null }),
    rpc(-32602, 'Invalid params: {"orderId":7}'),
    rpc(-32602, 'Invalid params', { message: 'payment 7 booked, receipt failed' }),
    rpc(-32602, 'Invalid params', 7),
    rpc(-32600, 'Invalid Request', { payment: 'pay_7' }),
    rpc(-32700, 'Parse error', { order: { id: 7 } }),
    http(400, '{"orderId":7}'),
    http(400, '{"orderId":7,"error":"mail"}'),
    http(400, 'Payment booked; receipt mail address invalid'),
    http(400, 'Zahlung gebucht; Quittung fehlgeschlagen'),
    http(401, 'payment captured; then token expired'),
    http(403, '{"payment":"pay_7","status":"captured"}'),
    http(404, '{"orderId":7}'),
    http(404, rpc(-32001, 'Session not found', { orderId: 7 })),
    http(400, rpc(-32000, 'Bad Request: No valid session ID provided', { orderId: 7 })),
    http(400, 'Could not find session cs_77'),
    http(400, 'Could not find session for order'),
    http(400, 'Payment accepted; no valid session ID provided'),
    http(400, 'No valid session ID provided; request timed out'),
    http(400, 'Session terminated'),
    http(404, rpc(-32600, 'Session has been terminated')),
    http(400, 'Session closed'),
    http(400, 'Invalid session ID provided after payment'),
    http(403, 'Could not find session'),
    rpc(-32602, 'Could not find session'),
    http(405, '', { location: '/orders/7' }),
    http(413, 'Order created, attachment too large'),
    http(404, '', { 'x-order-id': '7' }),
    http(403, '', {}, { statusText: 'Payment booked' }),
    http(429, '{"order 7 placed":null}'),
    http(429, '{"orderId":null}'),
    http(429, '7'),
    http(429, 7),
    http(429, '{"message":7}'),
    http(429, 'Too many requests 4711'),
    http(429, 'Rate limit reached after this call'),
    http(429, '{"message":"order 7 placed","message":"Too many requests"}'),
    http(404, '{"message":"order 7 there","message":"Not found"}'),
    http(429, '', { 'x-order-id': '7' }),
    http(429, '', { link: '</orders/7>; rel="item"' }),
    http(429, '', { link: '</x>; rel="help", </orders/7>; rel="item"' }),
    http(429, '', { 'retry-after': 'order 7 placed' }),
    http(429, '', {}, { statusText: 'Payment booked' }),
  ])('%j', (wire) => {
    expect(executed(wire)).toBe('maybe');
  });
});
