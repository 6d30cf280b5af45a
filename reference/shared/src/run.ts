/** `npm run reference -- <name> [flags]`: starts one of the reference servers, or with `call` the client of its document. */
import { existsSync, readdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import type { DialectId } from '@mayday/core';
import type { ToolCall } from './call.ts';

// Everything runs from its sources: the second start need not strip and compile them again.
enableCompileCache();
const folder = new URL('../../', import.meta.url);
const names = readdirSync(folder).filter((name) => existsSync(new URL(`${name}/src/main.ts`, folder)));
const [name = ''] = process.argv.splice(2, 1);
if (names.includes(name)) {
  try {
    await start();
  } catch (error) {
    // A folder that cannot be written, a file that is no database: the machine's business, not ours.
    const { code, message } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string' || code.startsWith('ERR_MODULE')) throw error;
    process.stderr.write(`${name} cannot start: ${message}\n`);
    process.exit(1);
  }
} else {
  process.stderr.write(`Expected the name of a reference server: ${names.join(', ')}\n`);
  process.exitCode = 2;
}

interface Client {
  callSample(call: ToolCall): Promise<unknown>;
  /** Named where what the server calls retryable may have happened. */
  readonly dialect?: DialectId;
}

/** A client loads nothing of what serves. */
async function start(): Promise<void> {
  const client = new URL(`${name}/src/client.ts`, folder);
  if (process.argv[2] !== 'call' || !existsSync(client))
    return void (await import(new URL(`${name}/src/main.ts`, folder).href));
  const { callCommand } = await import('./call.ts');
  const { callSample, dialect }: Client = await import(client.href);
  await callCommand(callSample, dialect);
}
