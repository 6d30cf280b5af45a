import { fileURLToPath } from 'node:url';
import { freePort } from '../../scripts/free-port.ts';
import { Endpoint } from './http.ts';
import { listening, type Program, startProgram } from './program.ts';
import type { Name } from './reference.ts';
import { Pipe } from './stdio.ts';

/** A server of the kit in one dialect, on both transports. */
export interface Kit {
  readonly pipe: Pipe;
  readonly endpoint: Endpoint;
  readonly program: Program;
  stop(): Promise<void>;
}

/** The arguments to Node that start the kit's server. */
export function kitArguments(dialect: Name, port?: number): string[] {
  const file = fileURLToPath(new URL('kit-server.ts', import.meta.url));
  return [file, dialect, ...(port === undefined ? [] : [String(port)])];
}

/** Starts the kit's server in one dialect, on standard streams (after the handshake) and over HTTP. */
export async function startKit(dialect: Name): Promise<Kit> {
  const port = await freePort();
  const program = startProgram(kitArguments(dialect, port));
  const pipe = new Pipe(startProgram(kitArguments(dialect)));
  await Promise.all([listening(port, program), pipe.initialize()]);
  return {
    pipe,
    endpoint: new Endpoint(`http://127.0.0.1:${port}/mcp`),
    program,
    stop: async () => {
      await Promise.all([program.stop(), pipe.close()]);
    },
  };
}
