/** Cursors where the gateway itself lists: all comes on one page there, so that no cursor is one that it gave. */
import type { FaultInit } from '@mayday/core';
import { misshapen } from './malformed.ts';

/** What is wrong with a cursor that nobody gave; `undefined` where there is none. */
export function strangeCursor(
  method: string,
  params: { readonly [key: string]: unknown } | undefined,
): FaultInit | undefined {
  // Some clients write down that they have none.
  return (params?.['cursor'] ?? undefined) === undefined ? undefined : (misshapen(method, params) ?? NOBODYS);
}

const NOBODYS: FaultInit = {
  kind: 'invalid_arguments',
  origin: 'caller',
  executed: 'no',
  subject: { type: 'cursor' },
  message: 'Invalid cursor',
  advice: 'List without a cursor: everything is on the first page.',
};
