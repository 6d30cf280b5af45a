/** Governed execution: a call that a person must consent to runs once for each consent. */
import { fault, type Json } from '@mayday/core';
import type { z } from 'zod';
import type { Limits } from './limits.ts';
import type { Tool, ToolContext } from './tools.ts';

/**
 * Runs a governed tool. The consent is used up in the same transaction that does the work: whenever the process
 * dies, either both have happened or neither.
 */
export function runGoverned(
  name: string,
  tool: Tool,
  args: z.infer<Tool['input']>,
  context: ToolContext,
  limits: Limits,
  now: number,
): Json {
  const { store, principal } = context;
  const { id, state, payload } = store.atomically(() => {
    const claimed = store.approvals.claim({ principal, tool: name, arguments: args }, now);
    return { ...claimed, payload: claimed.state === 'granted' ? (tool.run(args, context) as Json) : null };
  });
  if (state === 'granted') return payload;
  // What is refused for lack of permission costs nothing.
  limits.refund(principal);
  if (state === 'refused') throw fault.forbidden('Too many of your calls wait for approval.');
  const details = { approval_id: id };
  if (state === 'denied')
    throw fault.forbidden(`The call to ${name} was denied (request ${id})`, { details });
  throw fault.approvalRequired(`${name} requires approval (request ${id})`, { details });
}
