/** The ports of a gateway with workers, held by the process that answers nobody itself. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { DoorName } from './messages.ts';

/** An address. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Where to listen. */
export interface PortsOptions {
  readonly callers: Address;
  /** Where operators have a port of their own. */
  readonly operators?: Address | undefined;
  /** Workers speak HTTPS there. */
  readonly isSecure: boolean;
  readonly onConnection: (connection: Socket, door: DoorName) => void;
}

/** Ports that are held. */
export interface Ports {
  readonly url: string;
  readonly adminUrl: string | undefined;
  close(): void;
}

/** What an HTTP server would set. Nothing is read: that is the business of whoever gets the connection. */
const SOCKETS = { pauseOnConnect: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };

/** Takes all of them, or none; rejects with an error of Node's. */
export async function holdPorts(options: PortsOptions): Promise<Ports> {
  const { callers, operators, isSecure } = options;
  const open: Server[] = [];
  const hold = async (address: Address, door: DoorName): Promise<string> => {
    const server = createServer(SOCKETS, (connection) => options.onConnection(connection, door));
    open.push(server);
    return urlOf(address, await bound(server, address), isSecure);
  };
  const close = (): void => {
    for (const server of open) server.close();
  };
  try {
    const url = await hold(callers, 'callers');
    return { url, adminUrl: operators && (await hold(operators, 'operators')), close };
  } catch (error) {
    close();
    throw error;
  }
}

function bound(server: Server, { host, port }: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject); // later too: a connection that could not be accepted ends nothing
    server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port));
  });
}

function urlOf({ host }: Address, port: number, isSecure: boolean): string {
  return `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
