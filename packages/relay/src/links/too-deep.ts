/** An answer that is nested too deep: nobody can look into it, so nobody can say that it is a success. */
import type { FaultInit } from '@mayday/core';
import type { Peek } from '../framing/peek.ts';
import { MAX_DEPTH } from '../framing/scan.ts';
import { outlineOf } from './outline.ts';

/** The same, in words. */
export const NESTED_TOO_DEEP: string = `The server's answer is nested deeper than the gateway's limit of ${MAX_DEPTH} levels`;

/** What whoever asked is told; `undefined` where these bytes are something else, or answer another request than `asked`. */
export function tooDeep(
  bytes: Buffer,
  { why }: Pick<Peek, 'why'>,
  asked?: { readonly id: unknown },
): FaultInit | undefined {
  if (why !== 'too_deep') return undefined;
  const { isAnswer, id } = outlineOf(bytes);
  if (!isAnswer || (asked !== undefined && String(id) !== String(asked.id))) return undefined;
  return { kind: 'invalid_output', origin: 'upstream', executed: 'maybe', message: NESTED_TOO_DEEP };
}
