import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantServer, type Scripted } from './planted-server.ts';
import { FAST_CLOCK, freshFolder, runProgram, type Said } from './program.ts';
import { type Name, referenceArguments } from './reference.ts';
import type { Message, Wire } from './wire.ts';

/** What a document's sample client did. */
export interface SampleRun extends Said {
  /** The calls that reached the server. */
  readonly calls: readonly Message[];
  /** How long it waited between them, in milliseconds, in order. */
  readonly waits: readonly number[];
}

/**
 * Runs the sample client of a document against a planted server that gives these answers:
 * `npm run reference -- <name> call <url> <tool> <arguments as JSON>`. It prints the payload and ends with 0, or says what
 * went wrong on standard error and ends with 1.
 */
export async function runSample(
  name: Name,
  answers: readonly Scripted[],
  options: { readonly args?: readonly string[]; readonly chance?: number; readonly listed?: Wire } = {},
): Promise<SampleRun> {
  const server = await plantServer(answers, options.listed);
  const folder = freshFolder();
  const file = join(folder.path, 'waits');
  try {
    const flags = ['call', server.url, 'work', '{"n":1}', ...(options.args ?? [])];
    const said = await runProgram(referenceArguments(name, flags), {
      preload: FAST_CLOCK,
      env: { ACCEPTANCE_WAITS: file, ACCEPTANCE_RANDOM: String(options.chance ?? 0.5) },
    });
    const waits = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
    return { ...said, calls: server.calls, waits };
  } finally {
    await server.close();
    folder.remove();
  }
}
