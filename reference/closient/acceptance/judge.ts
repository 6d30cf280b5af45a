import { expect } from 'vitest';
import { foreignMembers } from '../../acceptance/hostile.ts';
import type { Message } from '../../acceptance/wire.ts';

/** A malformed request, as the document’s table has it: -32100 with a problem document. */
export function expectBadRequest(message: Message | undefined): void {
  expect(message?.jsonrpc).toBe('2.0');
  expect(message?.error).toMatchObject({
    code: -32100,
    message: 'Bad Request',
    data: {
      type: 'https://closient.com/docs/errors/bad_request',
      title: 'Bad Request',
      detail: expect.stringMatching(/\w+ \w+/),
      error_code: 'bad_request',
      retryable: false,
      timestamp: expect.stringMatching(/\+00:00$/),
    },
  });
  expect(foreignMembers(message)).toEqual([]);
}
