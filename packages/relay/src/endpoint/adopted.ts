/** Connections that somebody else has accepted, for a server that answers them. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that were accepted elsewhere: the server answers them, and does not wait for their end by itself. */
export interface Adopted {
  add(connection: Socket): void;
  /** Resolves when there are none. */
  ended(): Promise<void>;
  cut(): void;
}

/** Nobody was adopted yet. */
export function adopting(server: Server): Adopted {
  const all = new Set<Socket>();
  let onEmpty: (() => void) | undefined;
  return {
    add(connection) {
      all.add(connection);
      connection.once('close', () => {
        all.delete(connection);
        if (all.size === 0) onEmpty?.();
      });
      if (onEmpty !== undefined) return void connection.destroy(); // it closes
      server.emit('connection', connection);
      connection.resume();
    },
    ended: () =>
      new Promise((resolve) => {
        onEmpty = resolve;
        if (all.size === 0) resolve();
      }),
    cut() {
      for (const connection of all) connection.destroy();
    },
  };
}
