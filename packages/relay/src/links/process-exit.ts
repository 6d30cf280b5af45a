/** How a server process ended, as data and in words. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isMembers } from '../framing/json.ts';
import { lastWords } from './last-words.ts';
import type { LinkFault } from './link.ts';
import { endedWell, troubleIn } from './start-trouble.ts';

/** Why a process could not be started. */
export type StartFailure =
  | 'command_not_found'
  | 'command_with_arguments'
  | 'command_not_executable'
  | 'command_is_directory'
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
  /** It was ended from here, because of this: its signal is none of its own. */
  readonly endedFor?: string | undefined;
  /** The last lines of its standard error, printable. They may hold secrets. */
  readonly stderrTail: readonly string[];
  /** What its end means, where it was no process. */
  readonly fault?: LinkFault | undefined;
}

const WORDS: { readonly [reason in StartFailure]: string } = {
  command_not_found: 'the command was not found',
  command_with_arguments: 'there is no command of this name: its arguments stand in it',
  command_not_executable: 'the command may not be executed',
  command_is_directory: 'the command is a folder',
  interpreter_not_found: 'the command names an interpreter that was not found',
  directory_not_found: 'its working directory does not exist',
  not_a_directory: 'its working directory is not a directory',
  directory_not_accessible: 'its working directory may not be entered',
  too_many_processes: 'too many processes or files are open',
  not_startable: 'the system refused to start it',
};

const AT_THE_COMMAND = 'Install the command, or name it by its full path under `command` of this server.';
const AT_THE_FOLDER = 'Correct `cwd` of this server.';
const TO_DO: { readonly [reason in StartFailure]?: string } = {
  command_not_found: AT_THE_COMMAND,
  command_with_arguments:
    'Give the first word alone as `command` of this server, and the words behind it as `args`.',
  command_not_executable:
    'Allow the file to be executed (`chmod +x`), or start it by what runs it: `node`, `python3` or `sh` as `command`, the file in `args`.',
  command_is_directory: 'Name the program in it under `command` of this server.',
  interpreter_not_found:
    'Install what the first line of the script names, or correct that line; lines that end as on Windows cannot be read there.',
  directory_not_found: AT_THE_FOLDER,
  not_a_directory: AT_THE_FOLDER,
  directory_not_accessible: AT_THE_FOLDER,
};

/** Of those who read it, few see the command anywhere else. */
function toDo(reason: StartFailure, typed: string): string | undefined {
  const [program = ''] = /^(?:"[^"]{1,200}"|[^\s"`]{1,200})(?=\s|$)/.exec(typed) ?? [];
  const advice = TO_DO[reason];
  if (program === '') return advice;
  if (reason === 'command_with_arguments')
    return advice?.replace('the first word alone', () => `\`${program}\` alone`);
  return reason === 'command_not_found'
    ? advice?.replace('the command', () => `the command \`${program}\``)
    : advice;
}

/** One sentence about an end, without what the process itself said. */
export function describeExit({ code, signal, reason, endedFor, fault }: ProcessExit): string {
  if (fault !== undefined) return fault.message ?? fault.kind;
  if (reason !== undefined) return WORDS[reason];
  if (endedFor !== undefined) return `from here: ${endedFor}`;
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

/** Why this error was met when the command was started. The system says the same of a command and of a directory. */
export function startFailure(error: unknown, command: string, cwd: string | undefined): StartFailure {
  const code = isMembers(error) ? error['code'] : undefined;
  const wrongDirectory = cwd === undefined ? undefined : directoryFailure(cwd);
  if (code === 'ENOENT') {
    if (wrongDirectory !== undefined) return wrongDirectory;
    if (/[/\\]/.test(command) && existsSync(command)) return 'interpreter_not_found';
    return hasArguments(command) ? 'command_with_arguments' : 'command_not_found';
  }
  if (code === 'ENOTDIR') return wrongDirectory ?? 'command_not_found';
  if (code === 'EACCES') {
    const isFolder = directoryFailure(resolve(cwd ?? '', command)) === undefined;
    return wrongDirectory ?? (isFolder ? 'command_is_directory' : 'command_not_executable');
  }
  if (code === 'EAGAIN' || code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM')
    return 'too_many_processes';
  return 'not_startable';
}

/** Is it a whole line, as one would type it? Paths may have blanks: of those, the program has to be there. */
function hasArguments(command: string): boolean {
  const [, program = ''] = /^(\S+)\s+\S/.exec(command) ?? [];
  return program !== '' && (!/[/\\]/.test(program) || existsSync(program));
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
export function exitFault(
  exit: ProcessExit,
  { written, isInitialize, isRead = false, start }: ExitFaultOptions,
): LinkFault {
  // An opening changes nothing, whoever has read it.
  const isCall = written && !isInitialize;
  if (exit.fault !== undefined)
    return isCall && !isRead
      ? { ...exit.fault, kind: 'disconnected', executed: 'maybe' }
      : { ...exit.fault, executed: 'no' };
  if (exit.reason === 'too_many_processes') {
    return { kind: 'overloaded', origin: 'gateway', executed: 'no', message: startMessage(exit) };
  }
  if (exit.reason !== undefined) {
    return {
      kind: 'misconfigured',
      origin: 'gateway',
      executed: 'no',
      message: startMessage(exit),
      advice: toDo(exit.reason, start.command),
      details: { command: start.command },
    };
  }
  const fault = start.tellable === undefined ? untoldFault(exit, start) : startFault(exit, start);
  return isCall && !isRead ? { ...fault, kind: 'disconnected', executed: 'maybe' } : fault;
}

/** The fault of a process whose words may be about somebody else: how it ended, and who may hear them. */
function untoldFault(exit: ProcessExit, { command, wasTold }: Started): LinkFault {
  return {
    kind: 'unavailable',
    origin: 'upstream',
    executed: 'no',
    message: ended(exit),
    advice: fromOutside(exit) ?? (exit.stderrTail.length > 0 ? IN_THE_LOG : undefined),
    details: howEnded(exit, command),
    mayBeOwn: wasTold,
  };
}

function howEnded(
  { code, signal, endedFor }: ProcessExit,
  command: string,
): { [name: string]: string | number | null } {
  if (endedFor !== undefined) return { command };
  return { command, ...(signal === null ? { exit_code: code } : { signal }) };
}

function ended(exit: ProcessExit): string {
  if (exit.endedFor !== undefined) return `The server process was ended before it answered: ${exit.endedFor}`;
  return `The server process ended before it answered (${describeExit(exit)})`;
}

function endedAtStart(exit: ProcessExit): string {
  return exit.endedFor === undefined
    ? `The server ended when it was started (${describeExit(exit)})`
    : `The server was ended when it was started, because ${exit.endedFor}`;
}

/** What is known about a request when its process ends. */
export interface ExitFaultOptions {
  /** The process may have read it. */
  readonly written: boolean;
  readonly isInitialize: boolean;
  /** It only asks what there is. */
  readonly isRead?: boolean | undefined;
  readonly start: Started;
}

/** What was started. */
export interface Started {
  /** As it would be typed. */
  readonly command: string;
  /** Somebody had asked something of it. */
  readonly wasAsked: boolean;
  /** Somebody's words had been written to it, if only those that open a conversation. */
  readonly wasTold?: boolean | undefined;
  /** What it was given, and is not told. */
  readonly hides: readonly string[];
  /** It has opened a conversation, or told what it has. `wasCalled`: and was then asked to do something. */
  readonly opened?: { readonly wasCalled: boolean } | undefined;
  /** How many of its last lines may be told; `undefined`: none, and nothing that is read from them. */
  readonly tellable: number | undefined;
}

/** The fault of a process with its own words, for whoever can do something about it. */
export function startFault(
  exit: ProcessExit,
  { command, wasAsked, wasTold, hides, opened, tellable = 0 }: Started,
): LinkFault {
  const { lines, said, reason } = lastWords(tellable === 0 ? [] : exit.stderrTail.slice(-tellable), hides);
  // What it complains of once it was called may be what it was called with.
  const wasCalled = opened?.wasCalled === true;
  const trouble = wasCalled
    ? undefined
    : (troubleIn(lines) ?? (isOver(exit, wasAsked) ? endedWell(reason) : undefined));
  const end = opened === undefined ? endedAtStart(exit) : ended(exit);
  const why = trouble?.why ?? reason;
  return {
    kind: trouble === undefined ? 'unavailable' : 'misconfigured',
    origin: 'upstream',
    executed: 'no',
    message: why === undefined ? end : `${end}: ${why}`,
    advice:
      trouble?.advice ??
      fromOutside(exit) ??
      (why === undefined ? byHand(opened) : wasCalled ? OF_A_CALL : AT_ITS_WORDS),
    details: { ...howEnded(exit, command), ...(said === '' ? {} : { stderr: said }) },
    mayBeOwn: wasTold,
  };
}

const AT_ITS_WORDS = 'Correct what the server complains of: its settings here, or the server itself.';
const OF_A_CALL =
  'Correct what the server complains of: the arguments, its settings here, or the server itself.';
const IN_THE_LOG = 'What the process said last stands in the log of the gateway.';
const BY_HAND = 'Start the command by hand to see why it ends.';

const KILLED =
  'It was killed from outside, most often for want of memory: ask for less at once, or give the server more memory.';
const TERMINATED = 'It was told from outside to end; whoever runs it knows why.';

/** Signals that others send; what a shell makes of one is 128 and its number. */
const SENT: readonly (readonly [NodeJS.Signals, number, string])[] = [
  ['SIGKILL', 137, KILLED],
  ['SIGTERM', 143, TERMINATED],
  ['SIGINT', 130, TERMINATED],
  ['SIGHUP', 129, TERMINATED],
];

/** What to do about a process that others have ended: whatever it said, it was no complaint. */
function fromOutside({ code, signal, endedFor }: ProcessExit): string | undefined {
  if (endedFor !== undefined) return undefined;
  return SENT.find(([name, shown]) => (signal === null ? code === shown : signal === name))?.[2];
}

/** One that ran and said nothing has nothing to be corrected that we know of. */
function byHand(opened: Started['opened']): string | undefined {
  return opened === undefined ? BY_HAND : undefined;
}

/** Had it nothing to do, and ended by itself? */
function isOver({ code, signal }: ProcessExit, wasAsked: boolean): boolean {
  return !wasAsked && code === 0 && signal === null;
}

function startMessage(exit: ProcessExit): string {
  return `The server could not be started: ${describeExit(exit)}`;
}
