import { expect, it } from 'vitest';
import { refineNotFound } from './not-found.ts';

it.each([
  ['Tool x not found', 'tool', 'x'],
  ['Prompt "x" not found', 'prompt', 'x'],
  ['Resource x://y not found', 'resource', 'x://y'],
  ['Task t-1 not found', 'task', 't-1'],
  ['Session s not found', 'session', 's'],
  ['Completion c not found', 'completion', 'c'],
  ['Tool x was not found', 'tool', 'x'],
  ['Tool not found', 'tool', undefined],
  ['Tool not found: .', 'tool', undefined],
  ['Tool not found: x', 'tool', 'x'],
  ['Resource template x://{y} does not exist', 'resource_template', 'x://{y}'],
  ['Subscription s is not registered', 'subscription', 's'],
  ['Unknown tool: x.', 'tool', 'x'],
  ['unknown tool', 'tool', undefined],
  ['No such prompt "x"', 'prompt', 'x'],
  ['Invalid tool name: x', 'tool', 'x'],
])('%s', (message, type, id) => {
  expect(refineNotFound(message)).toEqual({
    kind: 'not_found',
    subject: id === undefined ? { type } : { type, id },
  });
});

it.each([
  ['The cursor has expired', 'expired'],
  ['Invalid cursor', 'invalid_arguments'],
])('%s', (message, kind) => {
  expect(refineNotFound(message)).toEqual({ kind, subject: { type: 'cursor' } });
});

it.each(['', 'Invalid tool arguments', 'Weather x not found', 'Not found', 'Precursor lost'])(
  '%j names nothing that is missing',
  (message) => {
    expect(refineNotFound(message)).toBeUndefined();
  },
);
