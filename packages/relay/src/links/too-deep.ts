/** An answer that is nested too deep: nobody can look into it, so nobody can say that it is a success. */
import type { FaultInit } from '@mayday/core';
import type { Peek } from '../framing/peek.ts';
import { MAX_DEPTH } from '../framing/scan.ts';
import { outlineOf } from './outline.ts';

/** The same, in words. */
export const NESTED_TOO_DEEP: string = `The server's answer is nested deeper than the gateway's limit of ${MAX_DEPTH} levels`;

/** What whoever asked is told; `undefined` where these bytes are something else. */
export function tooDeep(bytes: Buffer, { why }: Pick<Peek, 'why'>): FaultInit | undefined {
  if (why !== 'too_deep' || !outlineOf(bytes).isAnswer) return undefined;
  return { kind: 'invalid_output', origin: 'upstream', executed: 'maybe', message: NESTED_TOO_DEEP };
}
