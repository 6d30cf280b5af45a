import { freePort } from '../../scripts/free-port.ts';
import { bundleOf } from '../../test/reference-bundles.ts';
import {
  freshFolder,
  listening,
  type Program,
  runProgram,
  type Said,
  type Surroundings,
  scriptArguments,
  startProgram,
} from './program.ts';
import { Pipe } from './stdio.ts';

/** The five documents. */
export type Name = 'closient' | 'onx' | 'erlmcp' | 'qaqnuz' | 'platica';

/** What `npm run reference -- <name> …` stands for. */
export function referenceArguments(name: Name, flags: readonly string[] = []): string[] {
  return [...scriptArguments('reference'), name, ...flags];
}

/** Starts the same server in less time, where it is bundled. What is loaded before it may look at where its files are. */
function startServer(name: Name, flags: readonly string[], surroundings: Surroundings): Program {
  const bundle = surroundings.preload === undefined ? bundleOf(name) : undefined;
  const args = bundle === undefined ? referenceArguments(name, flags) : [bundle, ...flags];
  return startProgram(args, surroundings);
}

/** A reference server over HTTP. */
export interface HttpReference {
  readonly program: Program;
  /** Where it listens, without a path. */
  readonly origin: string;
  /** Where MCP is. */
  readonly mcp: string;
  stop(): Promise<void>;
}

/** Starts a reference server on a free port. The folder is the caller's. */
export async function serveHttp(
  name: Name,
  folder: string,
  flags: readonly string[] = [],
  surroundings: Surroundings = {},
): Promise<HttpReference> {
  const port = await freePort();
  const program = startServer(name, ['--http', String(port), '--data', folder, ...flags], surroundings);
  await listening(port, program);
  const origin = `http://127.0.0.1:${port}`;
  return {
    program,
    origin,
    mcp: `${origin}/mcp`,
    stop: async () => {
      await program.stop();
    },
  };
}

/** Starts a reference server on standard streams, without a handshake. */
export function serveStdio(
  name: Name,
  folder: string,
  flags: readonly string[] = [],
  surroundings: Surroundings = {},
): Pipe {
  return new Pipe(startServer(name, ['--stdio', '--data', folder, ...flags], surroundings));
}

/** Runs a command of a reference server that ends by itself. */
export function command(name: Name, args: readonly string[], surroundings: Surroundings = {}): Promise<Said> {
  return runProgram(referenceArguments(name, args), surroundings);
}

/** Runs a command that must succeed, and gives what it printed. */
export async function commandOutput(
  name: Name,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<string> {
  const said = await command(name, args, surroundings);
  if (said.status !== 0) {
    throw new Error(
      `npm run reference -- ${name} ${args.join(' ')} ended with ${said.status}: ${said.errors}`,
    );
  }
  return said.out.trim();
}

export { freshFolder };
