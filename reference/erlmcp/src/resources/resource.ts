import type { App } from '../app.ts';
import type { Caller } from '../session.ts';
import type { Role } from '../store/users.ts';

/** What a resource holds. */
export interface Contents {
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** What a template's reader gets. */
interface ReadContext {
  readonly app: App;
  readonly caller: Caller;
  readonly controller: AbortController;
}

/** A resource that is always there. */
export interface Fixed {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  /** Who may read it, and what that is called; anybody, if absent. */
  readonly needs?: { readonly role: Role; readonly permission: string };
  read(context: ReadContext): Contents;
}

/** Resources whose URI has variables. */
export interface Template {
  readonly uriTemplate: string;
  readonly name: string;
  /** The contents; `undefined` when there is no such resource. */
  read(
    variables: { readonly [name: string]: string },
    context: ReadContext,
  ): Contents | undefined | Promise<Contents | undefined>;
  /** Values that a variable may have. */
  complete?(variable: string, context: ReadContext): readonly string[] | Promise<readonly string[]>;
}

/** JSON contents. */
export function json(value: unknown): Contents {
  return { mimeType: 'application/json', bytes: Buffer.from(JSON.stringify(value, null, 2)) };
}
