/** How a server process ended, as data and in words. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import type { FaultInit } from '@mayday/core';
import { isMembers } from '../framing/json.ts';

/** Why a process could not be started. */
export type StartFailure =
  | 'command_not_found'
  | 'command_not_executable'
  | 'interpreter_not_found'
  | 'directory_not_found'
  | 'not_a_directory'
  | 'directory_not_accessible'
  | 'too_many_processes'
  | 'not_startable';

/** How a process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started; `undefined` when it ran. */
  readonly reason: StartFailure | undefined;
  /** The last lines of its standard error, printable. They may hold secrets. */
  readonly stderrTail: readonly string[];
}

const WORDS: { readonly [reason in StartFailure]: string } = {
  command_not_found: 'the command was not found',
  command_not_executable: 'the command may not be executed',
  interpreter_not_found: 'the command names an interpreter that was not found',
  directory_not_found: 'its working directory does not exist',
  not_a_directory: 'its working directory is not a directory',
  directory_not_accessible: 'its working directory may not be entered',
  too_many_processes: 'too many processes or files are open',
  not_startable: 'the system refused to start it',
};

/** One sentence about an end, without what the process itself said. */
export function describeExit({ code, signal, reason }: ProcessExit): string {
  if (reason !== undefined) return WORDS[reason];
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/** Why this error was met when the command was started. The system says the same of a command and of a directory. */
export function startFailure(error: unknown, command: string, cwd: string | undefined): StartFailure {
  const code = isMembers(error) ? error['code'] : undefined;
  const wrongDirectory = cwd === undefined ? undefined : directoryFailure(cwd);
  if (code === 'ENOENT') {
    if (wrongDirectory !== undefined) return wrongDirectory;
    return /[/\\]/.test(command) && existsSync(command) ? 'interpreter_not_found' : 'command_not_found';
  }
  if (code === 'ENOTDIR') return wrongDirectory ?? 'command_not_found';
  if (code === 'EACCES') return wrongDirectory ?? 'command_not_executable';
  if (code === 'EAGAIN' || code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM')
    return 'too_many_processes';
  return 'not_startable';
}

function directoryFailure(cwd: string): StartFailure | undefined {
  try {
    if (!statSync(cwd).isDirectory()) return 'not_a_directory';
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    const code = isMembers(error) ? error['code'] : undefined;
    if (code === 'ENOTDIR') return 'not_a_directory';
    return code === 'EACCES' ? 'directory_not_accessible' : 'directory_not_found';
  }
}

/** The fault of a request that was open when the process ended. */
export function exitFault(exit: ProcessExit, { written, isInitialize }: ExitFaultOptions): FaultInit {
  if (exit.reason === 'too_many_processes') {
    return { kind: 'overloaded', origin: 'gateway', executed: 'no', message: startMessage(exit) };
  }
  if (exit.reason !== undefined) {
    return { kind: 'misconfigured', origin: 'gateway', executed: 'no', message: startMessage(exit) };
  }
  // An opening changes nothing, whoever has read it.
  const isCall = written && !isInitialize;
  return {
    kind: isCall ? 'disconnected' : 'unavailable',
    origin: 'upstream',
    executed: isCall ? 'maybe' : 'no',
    message: `The server process ended before it answered (${describeExit(exit)})`,
  };
}

/** What is known about a request when its process ends. */
export interface ExitFaultOptions {
  /** The process may have read it. */
  readonly written: boolean;
  readonly isInitialize: boolean;
}

function startMessage(exit: ProcessExit): string {
  return `The server could not be started: ${describeExit(exit)}`;
}
