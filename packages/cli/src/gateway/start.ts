/** What the commands that run a gateway share. */
import process from 'node:process';
import {
  type Gateway,
  type GatewayOptions,
  type Settings,
  type StdioGateway,
  type StdioGatewayOptions,
  startGateway,
  startStdioGateway,
} from '@mayday/gateway';
import { EXIT } from '../exit-code.ts';
import { UsageError } from '../usage-error.ts';

/** The port that was typed, checked. */
export function portFrom(said: string | undefined): number | undefined {
  if (said === undefined) return undefined;
  if (/^\d{1,5}$/.test(said) && Number(said) <= 65_535) return Number(said);
  throw new UsageError(`--port needs a number from 0 to 65535, not ${JSON.stringify(said.slice(0, 40))}`);
}

/** Starts a gateway; an address that cannot be had, or a store that cannot be used, is no bug. */
export function startOn(settings: Settings, options: GatewayOptions): Promise<Gateway> {
  return startGateway(settings, options).catch((error: unknown) => notStarted(error, settings));
}

/** The same, for the one caller that has started the process. */
export function startOverLines(settings: Settings, options: StdioGatewayOptions): Promise<StdioGateway> {
  return startStdioGateway(settings, options).catch((error: unknown) => notStarted(error, settings));
}

/** Tells why a gateway could not start; what is a mistake of ours stays as it is. */
export function notStarted(error: unknown, { listen, admin, store }: Settings): never {
  // By its name: the package is only loaded where there is a store, or workers, which share a file where there is none.
  if (error instanceof Error && error.name === 'StoreError') {
    const what =
      store.url === undefined ? 'the workers cannot share what they count' : 'the store cannot be used';
    throw new UsageError(`${what}: ${error.message}`);
  }
  const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const isAdmins = admin !== false && admin.listen.port !== undefined && admin.listen.port === port;
  const said = portProblem(code, isAdmins ? { ...admin.listen, port } : listen);
  if (said === undefined) throw error;
  throw new UsageError(isAdmins ? said.replace(/;.*/, '; change admin.listen') : said);
}

/** Why an address cannot be had, and what to do; absent where something else is wrong. */
export function portProblem(
  code: string | undefined,
  { host, port }: Pick<Settings['listen'], 'host' | 'port'>,
): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is taken; choose another one with --port`;
    case 'EACCES':
      return `port ${port} may not be used; choose one above 1023 with --port`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return `${JSON.stringify(host)} is no address of this machine (${code}); change listen.host`;
    default:
      return undefined;
  }
}

/** What signals do after the first one. */
interface Stopping {
  /** Signals that mean the same as SIGINT and SIGTERM. */
  readonly also?: readonly NodeJS.Signals[];
  /** Whoever sends a second one does not want to wait. Absent: the process ends then. */
  readonly again?: () => void;
  /** Ends what would outlive the process, which the last signal that anybody sends ends at once. */
  readonly kill?: () => void;
}

/** Settles with the first signal, which asks. */
export function untilStopped({ also = [], again, kill }: Stopping = {}): Promise<void> {
  const last = again === undefined ? 2 : 3;
  return new Promise((resolve) => {
    let asked = 0;
    for (const signal of ['SIGINT', 'SIGTERM', ...also] as const) {
      process.on(signal, () => {
        asked += 1;
        if (asked >= last) {
          kill?.();
          process.exit(EXIT.negative);
        }
        if (asked === 1) resolve();
        else again?.();
      });
    }
  });
}

/** Takes what is done when operators ask for the settings to be read again. */
export type HangUps = (act: () => void) => void;

/** Hears SIGHUP from now on, which would end the process otherwise; what comes before there is an act waits for it. */
export function hearHangUps(): HangUps {
  let waits = false;
  let act = (): void => {
    waits = true;
  };
  process.on('SIGHUP', () => act());
  return (given) => {
    act = given;
    if (waits) given();
  };
}
