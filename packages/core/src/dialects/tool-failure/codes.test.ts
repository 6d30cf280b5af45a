import { expect, it } from 'vitest';
import { CLASS_OF_REACTION, codes } from './codes.ts';

it('puts every reaction into one of the draft’s three classes', () => {
  expect(CLASS_OF_REACTION).toEqual({
    validation: 'capability',
    permission: 'governance',
    retryable: 'reliability',
    dependency: 'reliability',
    terminal: 'capability',
  });
});

it('speaks the draft’s baseline where it has a word', () => {
  const renamed = codes
    .filter(({ code, kind }) => code !== kind)
    .map(({ code, kind, title }) => [code, kind, title]);
  expect(renamed).toEqual([
    ['invalid_input', 'invalid_arguments', 'Invalid arguments'],
    ['capability_unsupported', 'unsupported', 'Not supported'],
    ['auth_required', 'unauthenticated', 'Unauthorized'],
    ['permission_denied', 'forbidden', 'Forbidden'],
    ['user_action_required', 'input_required', 'Input required'],
    ['resource_not_found', 'not_found', 'Not found'],
    ['retryable_transient_error', 'not_ready', 'A transient condition'],
    ['policy_blocked', 'forbidden', 'Refused by policy'],
  ]);
});
