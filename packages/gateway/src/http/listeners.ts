/** Where a gateway listens: for its callers, and for its operators where they have a port of their own. */
import { type Certificate, type Listener, type ListenerOptions, listen } from '@mayday/relay';
import { readCertificate } from '../settings/certificate.ts';
import type { Settings } from '../settings/settings.ts';
import type { Door } from './door.ts';
import type { Doors } from './doors.ts';

/** The listeners of a gateway, together. */
export interface Listeners {
  readonly url: string;
  /** Where operators find it, if that is elsewhere. */
  readonly adminUrl: string | undefined;
  renew(certificate: Certificate): void;
  close(graceMs: number, stopped: Promise<unknown>): Promise<void>;
}

/** Starts to listen, everywhere or nowhere. */
export async function openListeners(
  settings: Settings,
  { callers, operators }: Pick<Doors, 'callers' | 'operators'>,
  onBug: (error: unknown) => void,
): Promise<Listeners> {
  const { listen: where, admin } = settings;
  const certificate = readCertificate(where);
  const at = (door: Door): ListenerOptions => {
    return { ...where, certificate, admit: door.admit, turnAway: door.turnAway, onBug };
  };
  const first = await listen(at(callers));
  const second =
    operators === undefined || admin === false
      ? undefined
      : await listen({ ...at(operators), ...admin.listen }).catch(async (error: unknown) => {
          await first.close(0);
          throw error;
        });
  const all: readonly Listener[] = second === undefined ? [first] : [first, second];
  return {
    url: first.url,
    adminUrl: second?.url,
    renew(next) {
      for (const one of all) one.renew(next);
    },
    async close(graceMs, stopped) {
      await Promise.all(all.map((one) => one.close(graceMs, stopped)));
    },
  };
}
