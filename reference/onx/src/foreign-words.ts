/** What of a backend's own words may go on to a caller: names that tell nothing but themselves. */
import type { Json, JsonObject } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { STATUSES } from './checks.ts';

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** The backend's identifier, in whatever style: one word, and no secret that looks like one. */
export function identifierIn({ code }: JsonObject): string | undefined {
  if (typeof code !== 'string' || !IDENTIFIER.test(code)) return undefined;
  return redact(code, { level: 'strict' }).findings.length === 0 ? code : undefined;
}

/** The field that it is about, if the caller has sent it: another name may be a column's. */
export function fieldIn({ field }: JsonObject, input: object): string | undefined {
  if (typeof field !== 'string' || field.length > 200) return undefined;
  let at: unknown = input;
  for (const key of field.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as { readonly [key: string]: unknown })[key];
  }
  return field;
}

const isCount = (value: Json): boolean => Number.isSafeInteger(value);

/** Facts by which a caller can help itself. Everything else that a backend adds stays in the log. */
const CONTEXT: { readonly [key: string]: (value: Json) => boolean } = {
  currentStatus: (value) => STATUSES.includes(String(value)),
  requested: isCount,
  available: isCount,
};

/** The harmless facts of the backend's context, with the order's number where the caller has sent it. */
export function safeContext({ context }: JsonObject, input: object): JsonObject | undefined {
  if (typeof context !== 'object' || context === null || Array.isArray(context)) return undefined;
  const { orderId } = input as { readonly orderId?: unknown };
  const facts = Object.entries(context as JsonObject).filter(
    ([key, value]) =>
      (key === 'orderId' && value === orderId) ||
      (Object.hasOwn(CONTEXT, key) && CONTEXT[key]?.(value) === true),
  );
  return facts.length === 0 ? undefined : Object.fromEntries(facts);
}
