/** A gateway that cannot start, told to the client that has started it: what else it writes, clients show to nobody. */
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { language, makeFault } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Io } from '../io/io.ts';
import { UsageError } from '../usage-error.ts';
import { UnusableFile } from './no-settings.ts';
import { claimStandardOutput } from './stdio.ts';

/** Does the work of a plain command. What keeps it from starting is the answer to whatever it is asked first. */
export async function asCommand(io: Io, work: (output: Writable) => Promise<ExitCode>): Promise<ExitCode> {
  const output = claimStandardOutput();
  try {
    return await work(output);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.note(`mayday: ${error.message}`);
    if (!io.inputIsTerminal) await answer(error, output);
    return EXIT.usage;
  }
}

/** Clients begin at once. */
const WAIT_MS = 5000;

/** Answers until the client has heard it in answer to `initialize`, says no more, or has not begun in time. */
async function answer(error: UsageError, output: Writable): Promise<void> {
  const { stdin } = process;
  const lines = createInterface({ input: stdin });
  const late = setTimeout(() => lines.close(), WAIT_MS);
  for await (const line of lines) {
    const { id, method } = requestIn(line);
    if (id === undefined || method === undefined) continue;
    await new Promise((resolve) => output.write(`${JSON.stringify(said(error, id, method))}\n`, resolve));
    if (method === 'initialize') break;
  }
  clearTimeout(late);
  stdin.destroy();
}

function requestIn(line: string): { readonly id?: Id; readonly method?: string } {
  try {
    const { id, method } = JSON.parse(line) as { readonly id?: unknown; readonly method?: unknown };
    if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return {};
    return { id, method };
  } catch {
    return {}; // nobody can be answered
  }
}

type Id = string | number;

const ADVICE =
  'Correct it in the settings of this client, or in the file that they name, then start it again.';

function said(error: UsageError, id: Id, method: string): object {
  const why = error instanceof UnusableFile ? error.problem : error.message;
  const [first = '', ...more] = why.split('\n');
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  const message = redact(`The gateway cannot start: ${first}${others}`).value;
  const init = { kind: 'misconfigured', origin: 'gateway', executed: 'no', message, advice: ADVICE } as const;
  const { wire } = language.write(makeFault(init), 'mayday', {
    id,
    method,
    placement: 'protocol',
    redact: false,
  });
  const answered = wire as { readonly error: object };
  // What clients show is the message alone.
  return {
    ...answered,
    error: { ...answered.error, message: `${message}${/[.?!]$/.test(message) ? '' : '.'} ${ADVICE}` },
  };
}
