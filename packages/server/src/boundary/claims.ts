/** What results declare about failures, in `_meta`: by a tool that hands on another server's answer, for example. */
import { FAULT_KEY, PROBLEM_KEY, TOOL_FAILURE_KEY } from '@mayday/core/protocol';
import type { Message } from '../shapes.ts';

const CLAIMS: readonly string[] = [FAULT_KEY, PROBLEM_KEY, TOOL_FAILURE_KEY];

/** Does a result's `_meta` declare a failure? */
export function hasClaims(meta: unknown): boolean {
  return typeof meta === 'object' && meta !== null && CLAIMS.some((key) => key in meta);
}

/** A success declares no failure: clients would take it for one, and for whatever it says about this call. */
export function withoutClaims(message: Message): Message {
  const { result } = message;
  const meta = result?.['_meta'];
  if (meta === undefined || !hasClaims(meta)) return message;
  const kept = Object.entries(meta as object).filter(([key]) => !CLAIMS.includes(key));
  const { _meta, ...rest } = result as { readonly [key: string]: unknown };
  return { ...message, result: kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) } };
}
