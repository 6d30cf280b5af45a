import { expect, it } from 'vitest';
import { ERRNO_NAMES, errnoOf } from './errno.ts';

it('knows which failures come from connecting alone, so that nothing was sent', () => {
  expect(ERRNO_NAMES.filter((name) => errnoOf(name)?.unsent === true).sort()).toEqual([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'EADDRNOTAVAIL',
    'EAI_AGAIN',
    'EAI_FAIL',
    'EAI_NODATA',
    'ECONNREFUSED',
    'ENOTFOUND',
    'ERR_SOCKET_CONNECTION_TIMEOUT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UND_ERR_CLOSED',
    'UND_ERR_CONNECT_TIMEOUT',
  ]);
});

it('does not take other names for one', () => {
  expect([errnoOf('toString'), errnoOf('ENOTHING'), errnoOf(undefined), errnoOf(61)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
