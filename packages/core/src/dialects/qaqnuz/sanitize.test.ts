import { describe, expect, it } from 'vitest';
import { makeFault, write } from '../../index.ts';
import { sanitize } from './sanitize.ts';

describe('what crosses', () => {
  it.each([
    'ERROR: duplicate key value violates unique constraint "orders_pkey"',
    'SQLSTATE[42S02]: Base table or view not found',
    'SQLITE_BUSY: database is locked',
    'ORA-00942: table or view does not exist',
    'column "owner_id" does not exist',
    'no such table: refunds',
    'deadlock detected',
    'SELECT name FROM users gave nothing',
    'INSERT INTO ledger failed',
    'UPDATE accounts SET balance=0 failed',
    'DELETE FROM orders failed',
    'permission denied for table contacts',
    "Unknown column 'note' in 'field list'",
    "Duplicate entry '7' for key 'contacts.PRIMARY'",
    "Invalid object name 'dbo.contacts'.",
    "Invalid column name 'token'.",
    'Invalid `prisma.contact.findMany()` invocation in app.ts',
    'No contact with ObjectId("507f1f77bcf86cd799439011") found',
  ])('QA-6 QA-7: nothing of %j', (text) => {
    expect(sanitize(text, 'conflict')).toBe('Conflict');
  });

  it('QA-6: neither identifiers of rows nor hosts', () => {
    expect(sanitize('Row 550e8400-e29b-41d4-a716-446655440000 is stale', 'conflict')).toBe(
      'Row [id] is stale',
    );
    expect(sanitize('upstream billing-7.internal.example:8443 refused', 'unavailable')).toBe(
      'upstream [host] refused',
    );
    expect(sanitize('asked db.prod.example:5432 twice', 'unavailable')).toBe('asked [host] twice');
    expect(sanitize('arn:aws:lambda:us-east-1:123456789012:function:pay failed', 'internal')).toBe(
      '[id] failed',
    );
    expect(sanitize('Not found: s3://prod-bucket/a/b.csv', 'not_found')).toBe('Not found: [host]');
  });

  it.each([
    'issue_refund requires approval (request apr_30c38415e7be)',
    'Rate limit exceeded. Please wait before sending more requests.',
    'Invalid arguments. order: Invalid input: expected string, received undefined',
    'There is no such contact con_4711; see https://example.com/docs',
    'Select a name from the list, and insert into the form',
    'Unknown column type. Permission denied for this action; duplicate entry for key dates',
    'The meeting at 10:30 is taken, e.g. by version 1.2:3',
  ])('QA-3: all of %j', (text) => {
    expect(sanitize(text, 'internal')).toBe(text);
  });

  it('QA-6 QA-10: a request that waits for consent keeps its name, and nothing else does', () => {
    const id = '550e8400-e29b-41d4-a716-446655440000';
    const held = `ref requires approval (request ${id})`;
    expect(sanitize(held, 'approval_required')).toBe(held);
    expect(sanitize(`${held} for row ${id}`, 'approval_required')).toBe(`${held} for row [id]`);
    expect(sanitize(`Failed in request ${id}`, 'internal')).toBe('Failed in request [id]');
  });

  it('QA-6: on the wire and in the envelope alike', () => {
    const fault = makeFault({ kind: 'internal', message: 'no such table: refunds' });
    const { wire, envelope } = write(fault, 'qaqnuz', { id: 1 });
    expect(JSON.stringify([wire, envelope])).not.toContain('refunds');
  });
});
