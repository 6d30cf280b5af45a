/**
 * A capability that an author declares has the SDK's handlers set by its constructor, before there is a guard: for all that can
 * be seen from outside, they may be the author's own. The SDK's look a name up in the server's registry. Whatever is found
 * there is behind the guard, so it is enough to see that somebody has looked for the name of a request, and found nothing.
 */
import type { Handle, McpServerLike } from '../shapes.ts';
import type { Boundary } from './boundary.ts';
import type { RequestState } from './request-state.ts';

/** Where both SDKs keep what is registered, by the method that looks there; no public member has it. */
const REGISTRIES: readonly Registries[] = [
  { method: 'tools/call', member: '_registeredTools', others: [] },
  { method: 'prompts/get', member: '_registeredPrompts', others: [] },
  { method: 'resources/read', member: '_registeredResources', others: ['_registeredResourceTemplates'] },
];

interface Registries {
  readonly method: string;
  readonly member: string;
  readonly others: readonly string[];
}

type Registry = { readonly [name: string]: Handle };

/** Has the methods that are answered already counted as seen as soon as they prove to be the SDK's. */
export function watchRegistries(boundary: Boundary, server: McpServerLike): void {
  for (const { method, member, others } of REGISTRIES) {
    if (!boundary.methods.answers(method)) continue; // almost always
    const known = [member, ...others].map((each) => Reflect.get(server, each));
    if (known.every((each) => isBehind(boundary, each))) watch(boundary, server, method, member);
  }
}

/** Is all of it behind the guard? Of a registry that cannot be read, nobody knows. */
function isBehind({ settings: { registered } }: Boundary, registry: unknown): registry is Registry {
  if (typeof registry !== 'object' || registry === null) return false;
  return Object.values(registry as Registry).every((handle) => registered.includes(handle));
}

/** The registry stands behind a proxy until it has been looked at once. */
function watch(boundary: Boundary, server: McpServerLike, method: string, member: string): void {
  const registry: Registry = Reflect.get(server, member);
  const get = (_registry: Registry, name: string | symbol): unknown => {
    // What is listed is there, and whoever registers, or asks for a schema beforehand, has no request of that name.
    if (typeof name === 'string' && !Object.hasOwn(registry, name) && isAskedFor(boundary, method, name)) {
      boundary.methods.seen = [...boundary.methods.seen, method];
      Reflect.set(server, member, registry);
    }
    return Reflect.get(registry, name);
  };
  Reflect.set(server, member, new Proxy(registry, { get }));
}

/** Has the server a request of the method for this name? */
function isAskedFor({ pending }: Boundary, method: string, name: string): boolean {
  return pending.all().some((state) => state.delivered && state.method === method && isFor(state, name));
}

/** An address is looked up as `URL` writes it. */
function isFor({ name }: RequestState, lookedUp: string): boolean {
  return name === lookedUp || (name !== undefined && URL.canParse(name) && new URL(name).href === lookedUp);
}
