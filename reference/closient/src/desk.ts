/** What every call passes on its way to an operation, over MCP and over REST: who, how often, may they. */
import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '@mayday/core';
import type { Limits } from './limits.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { ANONYMOUS, authenticate, type Caller, requireScope } from './tokens.ts';

/** Lets callers in, and runs operations. */
export interface Desk {
  /** Who an `Authorization` header says it is; anonymous where a bad one does not matter. */
  admit(name: string, authorization: string | null | undefined): Caller;
  run(name: string, args: unknown, caller: Caller): JsonObject;
  /** What is left of a caller's limits, as headers. */
  headers(authorization: string | null | undefined): { [name: string]: string };
}

/** Opens a desk. The checks come in this order: token, limit, scope, then the operation's own. */
export function createDesk(store: DatabaseSync, limits: Limits): Desk {
  return {
    admit(name, authorization) {
      const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
      if (operation === undefined || operation.infallible) return ANONYMOUS;
      const caller = authenticate(store, authorization);
      limits.take(caller);
      if (operation.scope !== undefined) requireScope(caller, operation.scope);
      return caller;
    },
    run: (name, args, caller) => (OPERATIONS[name] as Operation).run({ store, caller }, args as never),
    headers(authorization) {
      try {
        return limits.headers(authenticate(store, authorization));
      } catch {
        return {}; // a bad token has no limits to speak of
      }
    },
  };
}
