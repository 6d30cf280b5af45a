/** Lists without what their caller would be told is not there. */
import type { Guard } from '../guards/guard.ts';
import { hides } from '../guards/heed.ts';
import type { Message } from '../shapes.ts';
import { type Owner, RequestState } from './request-state.ts';

/** The answer to a request for tools, without those that a guard hides from whoever asked. */
export function withoutHidden(
  guards: readonly Guard[],
  owner: Owner,
  state: RequestState,
  message: Message,
): Message {
  const tools = state.method === 'tools/list' ? message.result?.['tools'] : undefined;
  if (!Array.isArray(tools)) return message; // almost every answer
  const hiding = guards.filter((guard) => guard.hides !== undefined);
  if (hiding.length === 0) return message;
  const bugs = new Map<Guard, unknown>();
  const left = tools.filter((tool: unknown) => {
    const call = callOf(owner, state, (tool as { readonly name?: unknown } | null)?.name);
    return !hiding.some((guard) => hides(guard, call, (bug) => bugs.set(guard, bug)));
  });
  // Once for each guard, and not for each tool.
  for (const bug of bugs.values()) owner.strayed?.(state, bug);
  const result: { [key: string]: unknown } = { ...message.result, tools: left };
  // What one caller may see is not for all.
  if (result['cacheScope'] === 'public') result['cacheScope'] = 'private';
  return { ...message, result };
}

/** The call that would be made of a tool, by the same caller. */
function callOf(owner: Owner, { message, extra, startedAt, principal, scopes }: RequestState, name: unknown) {
  const params = { ...message.params, name, arguments: {} };
  const call = new RequestState(owner, { ...message, method: 'tools/call', params }, extra, startedAt);
  call.principal = principal;
  call.scopes = scopes;
  return call;
}
