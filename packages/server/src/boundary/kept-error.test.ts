/** An error that a client has to act on is in the words of the document, whichever SDK has sent it. */
import { language, makeFault } from '@mayday/core';
import { expect, it } from 'vitest';
import { keptErrorIn } from './kept-error.ts';

const elicitations = [
  { mode: 'url', elicitationId: 'e1', url: 'https://example.com/sign-in', message: 'Go' },
];
const kept = (message: string) =>
  keptErrorIn(
    language.dialect('erlmcp'),
    { jsonrpc: '2.0', id: 1, error: { code: -32042, message, data: { elicitations } } },
    makeFault({ kind: 'input_required' }),
  ).error;

it('says no code that an SDK has written into the message', () => {
  expect(kept('MCP error -32042: URL elicitation required')).toEqual(kept('URL elicitation required'));
  expect(kept('URL elicitation required')).toEqual({
    code: -32042,
    message: 'URL elicitation required',
    data: { elicitations },
  });
});

it('keeps the words of an author', () => {
  expect(kept('MCP error -32042: Sign in first')).toMatchObject({
    data: { 'dev.mayday/error': { message: 'Sign in first' } },
  });
});
