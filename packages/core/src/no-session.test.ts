import { expect, it } from 'vitest';
import { deniesSession } from './no-session.ts';

const rpc = (code: number, message: string, data?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, data } });

it.each([
  [404, ''],
  [404, 'gone'],
  [404, 'Not Found'],
  [404, 'Session not found'],
  [404, 'Session 3f2c9a1e-77b0-4f43-9d2f-1d1f0a8f2b11 not found'],
  [404, 'No transport found for sessionId 3f2c9a1e77b0'],
  [404, '{"detail":"Not Found"}'],
  [404, '{"error":"Invalid or expired session","code":404}'],
  [404, rpc(-32001, 'Session not found')],
  [404, rpc(-32600, 'Session has been terminated')],
  [400, rpc(-32000, 'Bad Request: No valid session ID provided')],
  [400, rpc(-32000, 'Bad Request: Server not initialized')],
  [400, 'Missing session ID'],
])('knows a plain answer to an unknown session: %i %s', (status, body) => {
  expect(deniesSession({ status, body })).toBe(true);
});

it.each([
  [404, 'Payment accepted; receipt failed: template not found'],
  [404, 'Payment accepted; session not found'],
  [404, 'upstream order service: session not found'],
  [404, 'Customer not found'],
  [404, '{"orderId":7}'],
  [404, '{"error":"Session not found","order":7}'],
  [404, rpc(-32601, 'Method not found')],
  [404, rpc(-32603, 'Session not found')],
  [404, rpc(-32603, 'Internal error')],
  [404, rpc(-32001, 'Session not found', { orderId: 7 })],
  [404, '{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"not found"}]}}'],
  [404, '{"jsonrpc":"2.0","id":1,"result":{}}'],
  [400, ''],
  [400, 'Bad Request'],
  [400, 'Invalid request: missing id'],
  [410, 'Session not found'],
  [500, 'Session not found'],
])('takes everything else for another failure: %i %s', (status, body) => {
  expect(deniesSession({ status, body })).toBe(false);
});
