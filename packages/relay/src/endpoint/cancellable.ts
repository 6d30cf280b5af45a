/** Requests that whoever asked may cancel. A reload changes nothing about that. */
import { CANCELLED } from '../links/refuse.ts';
import { CallEnded } from './call.ts';
import type { Ends } from './in-flight.ts';
import { createPlaces } from './places.ts';

/** Which request of whose: only inside a session does an id name one. */
export interface Asked {
  readonly caller: string;
  readonly session: string;
  readonly id: string | number | undefined;
}

/** Where a cancellation finds what it is about. */
export interface Cancellable {
  /** Takes a request in; what it gives takes it out again. `goesOn`: whoever waits for it, it is not ended. */
  add(asked: Asked, request: Request): () => void;
  /** Nobody waits for it any more. `undefined`: there is no such request; else whether it goes on all the same. */
  cancel(asked: Asked, reason?: unknown): Pick<Request, 'goesOn'> | undefined;
}

interface Request {
  readonly ender: Ends;
  readonly goesOn: boolean;
}

/** Starts with none. */
export function createCancellable(): Cancellable {
  const open = createPlaces<Request & { readonly asked: Asked }>();
  return {
    add: (asked, { ender, goesOn }) => open.add({ asked, ender, goesOn }),
    cancel({ caller, session, id }, reason) {
      if (id === undefined) return undefined;
      const isIt = ({ asked }: { readonly asked: Asked }): boolean =>
        asked.id === id && asked.session === session && asked.caller === caller;
      const found = open.all().filter(isIt);
      const said = typeof reason === 'string' ? reason : undefined;
      for (const { ender } of found) ender.abort(new CallEnded(CANCELLED, { reason: said }));
      return found[0];
    },
  };
}
