/** What a conversation is asked just now, also where nobody waits for the answer any more. */
import type { Link } from '../links/link.ts';
import type { WireHandler } from './call.ts';

/** By link: whoever replaces an endpoint finds here what the one before has asked. */
const asked = new WeakMap<Link, number>();

/** The same handler; while it runs, its link is busy. */
export function keepingBusy(link: Link, handler: WireHandler): WireHandler {
  const count = (more: number): unknown => asked.set(link, (asked.get(link) ?? 0) + more);
  return (call) => {
    count(1);
    return handler(call).finally(() => count(-1));
  };
}

/** Is anything asked over it that it has not answered yet? */
export function isBusy(link: Link | undefined): boolean {
  return link !== undefined && ((asked.get(link) ?? 0) > 0 || link.isBusy === true);
}
