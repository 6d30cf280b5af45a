import { makeFault } from '@mayday/core';
import { expect, it } from 'vitest';
import { transportFault } from './transport-fault.ts';

const error = (code?: string): Error => Object.assign(new Error('connect 10.0.0.7:443 secret'), { code });

it.each([
  ['ECONNREFUSED', false, 'unavailable', 'no'],
  ['ENOTFOUND', false, 'unavailable', 'no'],
  ['ECONNRESET', false, 'unavailable', 'no'],
  ['ETIMEDOUT', false, 'unavailable', 'no'],
  ['ERR_CONNECT_TIMEOUT', false, 'unavailable', 'no'],
  // The same names are met on a connection that was made: then bytes were sent.
  ['EHOSTUNREACH', true, 'disconnected', 'maybe'],
  ['ECONNREFUSED', true, 'disconnected', 'maybe'],
  ['ECONNRESET', true, 'disconnected', 'maybe'],
  ['EPIPE', true, 'disconnected', 'maybe'],
  ['ETIMEDOUT', true, 'timeout', 'maybe'],
  ['ERR_HEADERS_TIMEOUT', true, 'timeout', 'maybe'],
  ['ERR_NOT_HTTP', true, 'upstream_failed', 'maybe'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', false, 'misconfigured', 'no'],
  ['ERR_UNSENDABLE', false, 'invalid_request', 'no'],
  [undefined, true, 'disconnected', 'maybe'],
])('reads %s, sent %s, as %s with executed %s', (code, sent, kind, executed) => {
  const fault = transportFault(error(code), sent);
  expect(makeFault(fault)).toMatchObject({ kind, executed });
  expect(fault.message).not.toMatch(/secret|10\.0/);
});

it.each([
  ['ERR_PROXY_ECONNREFUSED', 'The proxy cannot be reached (ECONNREFUSED)', 'correct its address'],
  ['ERR_PROXY_ENOTFOUND', 'The proxy cannot be reached (ENOTFOUND)', 'correct its address'],
  ['ERR_PROXY_407', 'The proxy refused to connect to the server (HTTP 407)', 'the user and the password'],
  ['ERR_PROXY_ANSWER', 'The proxy did not speak HTTP', 'correct its address'],
])('tells a proxy from the server behind it: %s', (code, message, advice) => {
  const fault = { message, executed: 'no', advice: expect.stringContaining(advice) };
  expect(transportFault(error(code), false)).toMatchObject(fault);
});

it('supposes that it was sent, and reads whatever was thrown', () => {
  expect([undefined, null, 'x', { code: 7 }].map((thrown) => transportFault(thrown).kind)).toEqual(
    Array(4).fill('disconnected'),
  );
});
