import type { Members, Request } from '@mayday/server/rpc';
import type { App } from '../app.ts';
import type { Caller, Session } from '../session.ts';

/** What a method gets beside its parameters. */
export interface MethodContext {
  readonly app: App;
  readonly session: Session;
  readonly caller: Caller;
  readonly request: Request;
  /** Stops the request: it takes too long, was cancelled, or its session has ended. */
  readonly controller: AbortController;
}

/** Answers one method. */
export type Method = (params: Members, context: MethodContext) => object | Promise<object>;
