import { expect, it } from 'vitest';
import { errorResponse, resultResponse } from './answers.ts';
import type { WriteContext } from './dialect.ts';

const context: WriteContext = { now: 0, revision: '2026-07-28', structuredContent: true };

it('has no member without a value', () => {
  expect(errorResponse(context, 7, 'No', undefined).wire).toStrictEqual({
    jsonrpc: '2.0',
    error: { code: 7, message: 'No' },
  });
  expect(errorResponse({ ...context, id: 'a' }, 7, 'No', { b: 1 }).wire).toStrictEqual({
    jsonrpc: '2.0',
    id: 'a',
    error: { code: 7, message: 'No', data: { b: 1 } },
  });
  expect(resultResponse({ ...context, id: null }, { c: 2 }).wire).toStrictEqual({
    jsonrpc: '2.0',
    id: null,
    result: { c: 2 },
  });
});
