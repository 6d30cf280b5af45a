/** What a method of HTTP promises, as the annotations of a tool (RFC 9110, 9.2). */
import type { JsonObject } from '@mayday/core';

/**
 * The annotations of an operation with this method. Only `POST` is taken for what adds and leaves the rest as it was;
 * whoever replaces or removes destroys, so nobody who follows annotations sends it twice.
 */
export function annotationsOf(method: string): JsonObject {
  const isRead = isSafe(method);
  return {
    readOnlyHint: isRead,
    idempotentHint: isRead || method === 'PUT' || method === 'DELETE',
    destructiveHint: !isRead && method !== 'POST',
    openWorldHint: true,
  };
}

/** Does the method only read? */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
