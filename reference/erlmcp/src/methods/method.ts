import type { App } from '../app.ts';
import type { Session } from '../session.ts';
import type { Members, Request } from '../wire/message.ts';

/** What a method gets beside its parameters. */
export interface MethodContext {
  readonly app: App;
  readonly session: Session;
  readonly request: Request;
  /** Aborts when the request takes too long. */
  readonly signal: AbortSignal;
}

/** Answers one method. */
export type Method = (params: Members, context: MethodContext) => object | Promise<object>;
