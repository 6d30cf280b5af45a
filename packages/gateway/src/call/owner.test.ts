import { expect, it } from 'vitest';
import { wireCall } from '../../test/calls.ts';
import { taskOwners } from './owner.ts';

/** Is it found beyond its session where nobody sends anything? */
const isFound = (id: string): boolean => taskOwners(wireCall(), id).length > 1;

it.each([
  '786512e2-9e0d-44f8-8f29-789f320fe840',
  'a3f5c9d2e8b14706a3f5c9d2e8b14706',
  'V1StGXR8_Z5jdHi6B-myT',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  'task-786512e2-9e0d-44f8-8f29-789f320fe840',
])('takes %s for one that nobody guesses', (id) => expect(isFound(id)).toBe(true));

it.each([
  '1',
  'task-1',
  'T482913',
  'export-customers-Report-1',
  'task-2026-11-17T10:00:00Z-000001',
  'x'.repeat(9999),
])('takes %s for one that can be guessed', (id) => expect(isFound(id)).toBe(false));
