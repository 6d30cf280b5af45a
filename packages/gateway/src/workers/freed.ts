import { rmSync } from 'node:fs';

/** The path of a Unix socket, without what a worker before this one has left there. */
export function freed(socket: string): string {
  rmSync(socket, { force: true });
  return socket;
}
