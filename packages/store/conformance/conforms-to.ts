/** One suite for all engines: what a store has to do, whatever it is made of. */
import { describe } from 'vitest';
import { crashTests } from './crashes.ts';
import { credentialTests } from './credentials.ts';
import { limitTests } from './limits.ts';
import { mistakeTests } from './mistakes.ts';
import { approvalTests, idempotencyTests } from './once.ts';
import { auditTests, faultTests, keyTests, sessionTests } from './records.ts';
import type { Open } from './subject.ts';
import { togetherTests } from './together.ts';

/** Judges an engine. `isShared` where other processes can use the same state. */
export function conformsTo(name: string, open: Open, { isShared }: { readonly isShared: boolean }): void {
  describe(`${name}: limits`, () => limitTests(open));
  describe(`${name}: limits together`, () => togetherTests(open));
  describe(`${name}: approvals`, () => approvalTests(open));
  describe(`${name}: idempotency`, () => idempotencyTests(open, isShared));
  describe(`${name}: keys`, () => keyTests(open));
  describe(`${name}: credentials`, () => credentialTests(open));
  describe(`${name}: sessions`, () => sessionTests(open));
  describe(`${name}: faults`, () => faultTests(open));
  describe(`${name}: audit`, () => auditTests(open));
  describe(`${name}: mistakes`, () => mistakeTests(open));
  describe(`${name}: crashes`, () => crashTests(open, isShared));
}
