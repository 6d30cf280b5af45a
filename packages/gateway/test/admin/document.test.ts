/** What the admin API says of itself. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { describe } from '../../src/admin/describe.ts';
import { OPERATIONS } from '../../src/admin/operations.ts';

it('is an OpenAPI document', async () => {
  const validator = new Validator();
  const document: { [name: string]: unknown } = describe(OPERATIONS);
  expect(await validator.validate(structuredClone(document))).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
  expect(await validator.validate({ ...structuredClone(document), paths: { keys: {} } })).toMatchObject({
    valid: false,
  });
});

it('offers this, and nothing else', () => {
  const { paths } = describe(OPERATIONS) as unknown as {
    readonly paths: {
      readonly [path: string]: { readonly [method: string]: { readonly operationId: string } };
    };
  };
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
  expect(all).toEqual([
    'get /status getStatus',
    'get /keys listKeys',
    'post /keys createKey',
    'get /keys/{id} getKey',
    'post /keys/{id}/rotate rotateKey',
    'post /keys/{id}/revoke revokeKey',
    'get /credentials listCredentials',
    'post /credentials setCredential',
    'post /credentials/remove removeCredential',
    'get /approvals listApprovals',
    'post /approvals/{id}/approve approveCall',
    'post /approvals/{id}/reject rejectCall',
    'get /faults listFaults',
    'get /faults/groups listFaultGroups',
    'get /faults/groups/{fingerprint} getFaultGroup',
    'get /faults/stream followFaults',
    'get /audit listAudit',
    'get /audit/verify verifyAudit',
    'get /openapi.json getDocument',
  ]);
});
