import { expect, it } from 'vitest';
import { down } from './problem.ts';

it.each([
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('says of %s that the certificate is what is wrong, and what to do', (code) => {
  expect(down({ code })).toMatchObject({
    problem: 'down',
    message: `The certificate of Redis was not accepted (${code}); renew it, or name the file of who vouches for it in NODE_EXTRA_CA_CERTS`,
  });
});

it('says of everything else that it cannot be reached', () => {
  expect(down({ code: 'ECONNREFUSED' }).message).toBe(
    'Redis cannot be reached (ECONNREFUSED); check that it runs, and its URL',
  );
  expect(down(new Error('x')).message).toBe('Redis cannot be reached; check that it runs, and its URL');
});
