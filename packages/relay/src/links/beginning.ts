/**
 * What is seen of a process from its start until it has done something: enough to say why it never did, and whether
 * that may be said to whoever asks. One that only tells what there is may still find out that it cannot work.
 */
import type { FaultInit } from '@mayday/core';
import type { Pending } from './pending.ts';
import { type ProcessExit, type Started, startFault } from './process-exit.ts';
import { silence, without } from './start-trouble.ts';
import type { StdioProcessOptions } from './stdio-process.ts';

type Given = Pick<StdioProcessOptions, 'command' | 'args' | 'env'> & {
  readonly shared?: boolean | undefined;
};

/** A package, a file, or a flag of whoever starts them. */
const NAMING =
  /^(?:-y|-q|-m|--yes|--quiet|--package|run|exec|dlx|@[\w-]{1,80}\/[\w.-]{1,80}(?:@[\w.^~-]{1,30})?|[\w./-]{1,200}\.(?:[cm]?[jt]sx?|py|rb|jar|sh|exe)|(?:mcp|server)-[a-z-]{1,60}|[a-z-]{1,60}-(?:mcp|server))$/;
/** Programs that start others: the first of their arguments that is no flag or word of theirs names which. */
const RUNNERS =
  /(?:^|[\\/])(?:node(?:js)?|npx|npm|pnpx|pnpm|yarn|bunx?|deno|uvx?|pipx|py|pypy[\d.]*|python[\d.]*)(?:\.(?:exe|cmd))?$/i;
const WORDS_OF_RUNNERS: ReadonlySet<string> = new Set([
  '-y',
  '-q',
  '-m',
  '-u',
  '--yes',
  '--quiet',
  'run',
  'exec',
  'dlx',
]);
const A_NAME = /^@?[\w./-]{1,200}(?:@[\w.^~-]{1,30})?$/;
const MAX_STRAYS = 3;
const MAX_TYPED = 300;

/** The beginning of one process. Once it is over, nothing is kept any more. */
export class Beginning {
  readonly #given: Given;
  /** What it wrote to its standard output, and is no message. */
  readonly #strays: string[] = [];
  /** Who has asked something of it. What it says may be about that. */
  readonly #askers: Set<string | number> = new Set();
  #isOver = false;
  #hasWorked = false;
  #wasCalled = false;

  constructor(given: Given) {
    this.#given = given;
  }

  /** Has it answered something? */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** It has answered this; without it, what opens a conversation. */
  answered(pending?: Pending): void {
    this.#isOver = true;
    if (pending === undefined || pending.isInitialize || isTelling(pending)) return;
    this.#hasWorked = true;
    this.#askers.clear();
  }

  /** Somebody has asked it something. Who is not known may be another one each time. */
  asked(pending: Pending): void {
    if (this.#hasWorked) return;
    this.#askers.add(pending.caller ?? pending.wireId);
    this.#wasCalled ||= !isTelling(pending);
  }

  stray(words: string): void {
    if (!this.#isOver && this.#strays.length < MAX_STRAYS) this.#strays.push(without(words, this.#hides));
  }

  /** Why it may never answer, while it runs. */
  get silence(): string | undefined {
    return this.#isTold && !this.#isOver ? silence(this.#strays) : undefined;
  }

  /** What was started, where its end is to be explained. */
  get started(): Started | undefined {
    if (!this.#isTold) return undefined;
    const opened = this.#isOver ? { wasCalled: this.#wasCalled } : undefined;
    return { command: this.#typed, wasAsked: this.#wasAsked, hides: this.#hides, opened };
  }

  /** The same for those who come later, and whom it may not be about. */
  faultForAll(exit: ProcessExit): FaultInit | undefined {
    const { started } = this;
    if (started === undefined || exit.reason !== undefined) return undefined;
    return this.isMuddled ? undefined : startFault(exit, started);
  }

  /** Its words may be about somebody's call: only one that ends before it was asked anything can be explained to all. */
  get isMuddled(): boolean {
    return !this.#hasWorked && this.#given.shared === true && this.#wasAsked;
  }

  get #wasAsked(): boolean {
    return this.#askers.size > 0;
  }

  /** Is whatever it says about nobody, or about one alone? */
  get #isTold(): boolean {
    return !this.#hasWorked && (!this.isMuddled || this.#askers.size === 1);
  }

  /** The command as it would be typed; of its arguments those that name what is started. */
  get #typed(): string {
    const { command, args = [] } = this.#given;
    const end = args.findIndex((_, at) => !isNaming(this.#given, at));
    const shown = end < 0 ? args : [...args.slice(0, end), '…'];
    return [command, ...shown].join(' ').slice(0, MAX_TYPED);
  }

  /** What the settings give it, and nobody else is to know. */
  get #hides(): readonly string[] {
    const { args = [], env = {} } = this.#given;
    return [...Object.values(env), ...args.filter((_, at) => !isNaming(this.#given, at))];
  }
}

/** Does it only ask what there is, or whether anybody is there? */
function isTelling({ names }: Pending): boolean {
  const [method = ''] = names();
  return method === 'ping' || changesNothing(method);
}

/** What only asks what there is has changed nothing, whoever has read it. */
export function changesNothing(method: string): boolean {
  return method === 'server/discover' || method.endsWith('/list');
}

/** Does this argument name what is started? The others may be secrets. */
function isNaming({ command, args = [] }: Given, at: number): boolean {
  const arg = args[at] ?? '';
  if (NAMING.test(arg)) return true;
  const isProgram = RUNNERS.test(command) && args.findIndex((one) => !WORDS_OF_RUNNERS.has(one)) === at;
  return isProgram && !arg.startsWith('-') && A_NAME.test(arg);
}
