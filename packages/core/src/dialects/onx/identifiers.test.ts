import { describe, expect, it } from 'vitest';
import { makeFault } from '../../fault.ts';
import type { Kind } from '../../kinds.ts';
import { identifierFor, readIdentifier } from './identifiers.ts';

describe('an identifier that an adapter forwards', () => {
  it.each([
    ['AUTHENTICATION_FAILED', 'unauthenticated'],
    ['UNAUTHORIZED', 'unauthenticated'],
    ['FORBIDDEN', 'forbidden'],
    ['NOT_FOUND', 'not_found'],
    ['BAD_REQUEST', 'invalid_arguments'],
    ['INVALID_REQUEST', 'invalid_arguments'],
    ['INVALID_INPUT', 'invalid_arguments'],
    ['VALIDATION_ERROR', 'invalid_arguments'],
    ['CONFLICT', 'conflict'],
    ['TIMEOUT', 'timeout'],
    ['GATEWAY_TIMEOUT', 'timeout'],
    ['RATE_LIMITED', 'rate_limited'],
    ['SERVICE_UNAVAILABLE', 'unavailable'],
    ['CONNECTION_FAILED', 'unavailable'],
    ['NOT_CONNECTED', 'unavailable'],
    ['NETWORK_ERROR', 'disconnected'],
    ['BAD_GATEWAY', 'upstream_failed'],
    ['OPERATION_FAILED', 'upstream_failed'],
    ['API_ERROR', 'upstream_failed'],
    ['INTERNAL_SERVER_ERROR', 'upstream_failed'],
    ['UNKNOWN_ERROR', 'unknown'],
    ['QUOTA_EXHAUSTED', 'quota_exhausted'],
  ])('%s is %s', (identifier, kind) => {
    expect(readIdentifier(identifier)).toEqual({ kind });
  });

  it.each([
    ['ORDER_NOT_FOUND', 'not_found', 'order'],
    ['INVALID_ORDER_STATE', 'conflict', 'order'],
    ['RETURN_ALREADY_EXISTS', 'conflict', 'return'],
    ['INSUFFICIENT_INVENTORY', 'conflict', 'inventory'],
  ])('%s is %s of a subject: %s', (identifier, kind, type) => {
    expect(readIdentifier(identifier)).toEqual({ kind, subject: { type } });
  });

  it.each(['', 'toString', 'SOMETHING_ELSE', 'ORDER_NOT_FOUND_YET'])('%j says nothing', (identifier) => {
    expect(readIdentifier(identifier)).toBeUndefined();
  });
});

describe('the identifier of a fault', () => {
  const order = { type: 'order' };

  it.each([
    ['not_found', order, 'ORDER_NOT_FOUND'],
    ['conflict', order, 'INVALID_ORDER_STATE'],
    ['timeout', order, 'TIMEOUT'],
    ['not_found', undefined, 'NOT_FOUND'],
    ['conflict', undefined, 'CONFLICT'],
    ['unauthenticated', order, 'AUTHENTICATION_FAILED'],
    ['forbidden', undefined, 'FORBIDDEN'],
  ] satisfies [Kind, typeof order | undefined, string][])('%s of %j is %s', (kind, subject, identifier) => {
    expect(identifierFor(makeFault({ kind, subject }))).toBe(identifier);
  });

  it('is its name, where it has one', () => {
    expect(identifierFor(makeFault({ kind: 'not_found', subject: order, name: 'NO_SUCH_ORDER' }))).toBe(
      'NO_SUCH_ORDER',
    );
  });
});
