/** What the commands that run a gateway share. */
import process from 'node:process';
import { type Gateway, type GatewayConfig, type GatewayOptions, startGateway } from '@mayday/gateway';
import { EXIT } from '../exit-code.ts';
import { UsageError } from '../usage-error.ts';

/** The port that was typed, checked. */
export function portFrom(said: string | undefined): number | undefined {
  if (said === undefined) return undefined;
  const port = Number(said);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && said.trim() !== '') return port;
  throw new UsageError(`--port needs a number from 0 to 65535, not ${JSON.stringify(said)}`);
}

/** Starts a gateway; a port that cannot be had is no bug. */
export async function startOn(config: GatewayConfig, options: GatewayOptions): Promise<Gateway> {
  try {
    return await startGateway(config, options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError('the port is taken; choose another one with --port');
    if (code === 'EACCES')
      throw new UsageError('the port may not be used; choose one above 1023 with --port');
    throw error;
  }
}

/** The first signal asks; whoever sends a second one does not want to wait. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(EXIT.negative);
        asked = true;
        resolve();
      });
    }
  });
}
