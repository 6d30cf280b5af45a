/** Parts of a parsed message, checked before they are given out. */
import { isMembers, type Members } from '../framing/json.ts';

/** `params` of a parsed message; `undefined` when they are no object. */
export function paramsOf(message: unknown): Members | undefined {
  return membersOf(message, 'params');
}

/** `params._meta` of a parsed message; `undefined` when it is no object. */
export function metaOf(message: unknown): Members | undefined {
  return membersOf(paramsOf(message), '_meta');
}

/** `result` of a parsed message; `undefined` when it is no object. */
export function resultOf(message: unknown): Members | undefined {
  return membersOf(message, 'result');
}

function membersOf(value: unknown, key: string): Members | undefined {
  const inner = isMembers(value) ? value[key] : undefined;
  return isMembers(inner) ? inner : undefined;
}
