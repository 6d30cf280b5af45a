/** Who is caught lying is not listened to any longer. */
import { StoreError } from '../store-error.ts';
import type { Link } from './link.ts';
import { Objection } from './problem.ts';

type Method = (...values: readonly unknown[]) => Promise<unknown>;

/** The same port; an answer that cannot be makes the connection anew. */
export function watched<T extends object>(port: T, link: Link): T {
  const methods = Object.entries(port).map(([name, method]) => [name, caught(method as Method, link)]);
  return Object.fromEntries(methods) as T;
}

function caught(method: Method, link: Link): Method {
  return async (...values) => {
    try {
      return await method(...values);
    } catch (thrown) {
      if (isLie(thrown)) link.distrust();
      throw thrown;
    }
  };
}

function isLie(thrown: unknown): boolean {
  return thrown instanceof StoreError && thrown.problem === 'lying' && !(thrown instanceof Objection);
}
