/** How servers behind URLs are spoken to, as far as that was found out: here, or by another worker. */
import { sha256 } from '../sha256.ts';
import type { Crew } from '../workers/crew.ts';
import type { Transport, TransportChoice } from './transport-choice.ts';

/** What is known of all of them. */
export interface Transports {
  /** What is known of this server, see `Upstream.server`; the same for all who speak with it. */
  of(server: string): TransportChoice;
}

/** Nothing is known yet, except what other workers know. */
export function createTransports(crew: Pick<Crew, 'tell' | 'spoken'> | undefined): Transports {
  const known = crew?.spoken ?? new Map<string, Transport>();
  return {
    of(whole) {
      const server = sha256(whole, 'base64url'); // what makes up a server may hold secrets
      return {
        get transport() {
          return known.get(server);
        },
        found(transport) {
          if (known.get(server) === transport) return;
          known.set(server, transport);
          crew?.tell({ server, transport });
        },
      };
    },
  };
}
