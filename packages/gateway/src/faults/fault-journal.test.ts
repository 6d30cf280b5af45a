/** What a failure leaves in the journal. */
import { makeFault } from '@mayday/core';
import { expect, it } from 'vitest';
import { createFaultJournal } from './fault-journal.ts';

it('names the fields that are wrong, and not what was in them', async () => {
  const written: unknown[] = [];
  const faults = { append: async (some: readonly object[]) => void written.push(...some) };
  const journal = createFaultJournal(faults as never, () => undefined);
  const call = {
    at: 1,
    upstream: 'a',
    method: 'tools/call',
    target: 'pay',
    caller: null,
    from: null,
  } as const;
  const record = { ...call, to: 'mcp', certainty: 1, attempts: 1, durationMs: 1, original: undefined };
  const issues = [
    { path: ['user', 'name'], message: 'Expected a name, received "s3cret-value"' },
    { path: ['items', 0], message: 'Required' },
  ];
  const message = 'Invalid arguments';
  journal.add({ ...record, fault: makeFault({ kind: 'invalid_arguments', message, issues }) });
  journal.add({ ...record, fault: makeFault({ kind: 'internal', message: 'It broke' }) });
  await journal.close(1000);
  expect(written.map((one) => (one as { details: { fields?: unknown } }).details.fields)).toEqual([
    ['user.name', 'items.0'],
    undefined,
  ]);
  expect(JSON.stringify(written)).not.toContain('s3cret');
});
