/** Everything that the admin API does: one table. Nothing else is served there. */
import { APPROVALS } from './approvals.ts';
import { AUDIT } from './audit.ts';
import { CREDENTIALS } from './credentials.ts';
import { describe } from './describe.ts';
import { FAULTS } from './faults.ts';
import { KEYS } from './keys.ts';
import { no, type Operation, told } from './operation.ts';
import { ref } from './schemas.ts';

const STATUS: Operation = {
  id: 'getStatus',
  method: 'GET',
  path: '/status',
  tag: 'gateway',
  summary: 'How the gateway is: upstreams, sessions, circuits, the store.',
  answer: { status: 200, about: 'The status.', schema: ref('Status') },
  faults: {},
  async run({ house }) {
    if (house.status !== undefined) return told(await house.status());
    return no(501, { kind: 'unsupported', message: 'No gateway runs here' });
  },
};

const DOCUMENT: Operation = {
  id: 'getDocument',
  method: 'GET',
  path: '/openapi.json',
  tag: 'gateway',
  summary: 'This document.',
  answer: { status: 200, about: 'OpenAPI 3.1.', schema: { type: 'object' } },
  faults: {},
  run: async () => told(describe(OPERATIONS)),
};

/** All operations. */
export const OPERATIONS: readonly Operation[] = [
  STATUS,
  ...KEYS,
  ...CREDENTIALS,
  ...APPROVALS,
  ...FAULTS,
  ...AUDIT,
  DOCUMENT,
];
