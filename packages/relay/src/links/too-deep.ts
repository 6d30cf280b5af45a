/** An answer that is nested too deep: nobody can look into it, so nobody can say that it is a success. */
import type { FaultInit } from '@mayday/core';
import type { Peek } from '../framing/peek.ts';
import { MAX_DEPTH } from '../framing/scan.ts';
import { outlineOf } from './outline.ts';

/** What whoever asked is told of it. */
export const NESTED_TOO_DEEP: FaultInit = {
  kind: 'invalid_output',
  origin: 'gateway',
  executed: 'maybe',
  message: `The server's answer is nested deeper than the gateway's limit of ${MAX_DEPTH} levels`,
};

/** The same for these bytes; `undefined` where they bytes are something else, or answer another request than `asked`. */
export function tooDeep(
  bytes: Buffer,
  { why }: Pick<Peek, 'why'>,
  asked?: { readonly id: unknown },
): FaultInit | undefined {
  if (why !== 'too_deep') return undefined;
  const { isAnswer, id } = outlineOf(bytes);
  if (!isAnswer || (asked !== undefined && String(id) !== String(asked.id))) return undefined;
  return NESTED_TOO_DEEP;
}
