/** Where a gateway listens: for its callers, for its operators where they have a port of their own, and for other workers. */
import { type Certificate, type Listener, type ListenerOptions, listen } from '@mayday/relay';
import { readCertificate } from '../settings/certificate.ts';
import type { Settings } from '../settings/settings.ts';
import type { Crew } from '../workers/crew.ts';
import { freed } from '../workers/freed.ts';
import type { DoorName } from '../workers/messages.ts';
import { openInner } from '../workers/open-inner.ts';
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
  { callers, operators, workers }: Doors,
  { onBug, crew }: { readonly onBug: (error: unknown) => void; readonly crew: Crew | undefined },
): Promise<Listeners> {
  const { listen: where, admin } = settings;
  const certificate = readCertificate(where);
  const at = (door: Door): ListenerOptions => {
    return { ...where, certificate, admit: door.admit, turnAway: door.turnAway, unread: door.unread, onBug };
  };
  const all: (Pick<Listener, 'close'> & Partial<Listener>)[] = [];
  const open = async <T extends Pick<Listener, 'close'>>(opening: Promise<T>): Promise<T> => {
    const opened = await opening.catch(async (error: unknown) => {
      await Promise.all(all.map((one) => one.close(0)));
      throw error;
    });
    all.push(opened);
    return opened;
  };
  // Before anybody can come: another worker may have to be asked for the first answer.
  if (crew !== undefined && workers !== undefined)
    await open(openInner(crew, workers, { ...at(workers.door), onBug }));
  // Where there are workers, somebody else holds the ports, and hands connections over.
  const socketOf = (door: DoorName): Pick<ListenerOptions, 'socket'> =>
    crew === undefined ? {} : { socket: freed(crew.socketOf(crew.worker, door)) };
  const first = await open(listen({ ...at(callers), ...socketOf('callers') }));
  const second =
    operators === undefined || admin === false
      ? undefined
      : await open(listen({ ...at(operators), ...admin.listen, ...socketOf('operators') }));
  crew?.onConnection((connection, door) =>
    (door === 'callers' ? first : (second ?? first)).adopt(connection),
  );
  return {
    url: first.url,
    adminUrl: second?.url,
    renew(next) {
      for (const one of all) one.renew?.(next);
    },
    async close(graceMs, stopped) {
      await Promise.all(all.map((one) => one.close(graceMs, stopped)));
    },
  };
}
