/**
 * What is seen of a process besides its answers: enough to say why it ended, and whether that may be said to whoever
 * asked. One that only tells what there is may still find out that it cannot work.
 */
import type { FaultInit } from '@mayday/core';
import { lastWords } from './last-words.ts';
import type { LinkFault } from './link.ts';
import type { Pending } from './pending.ts';
import { isPlace } from './place.ts';
import { type ProcessExit, type Started, startFault } from './process-exit.ts';
import { type Silence, silenceOf } from './silent-start.ts';
import type { StdioProcessOptions } from './stdio-process.ts';

type Given = Pick<StdioProcessOptions, 'command' | 'args' | 'env'> & {
  readonly shared?: boolean | undefined;
  readonly ofOne?: boolean | undefined;
  readonly isAddressed?: boolean | undefined;
};

/** A package, a file, or a flag of whoever starts them. */
const NAMING =
  /^(?:-y|-q|-m|--yes|--quiet|--package|run|exec|dlx|@[\w-]{1,80}\/[\w.-]{1,80}(?:@[\w.^~-]{1,30})?|[\w./@-]{1,200}\.(?:[cm]?[jt]sx?|py|rb|jar|sh|exe)|(?:mcp|server)-[a-z-]{1,60}|[a-z-]{1,60}-(?:mcp|server))$/;
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
/** Of its standard error, as long as it has not answered anything. */
const MAX_COMPLAINTS = 40;
const MAX_TYPED = 300;
const SPEAKS_OTHERWISE = 'It does not speak MCP as it was started: correct its command, or update it.';

/** What is known of one process. Of its work nothing is kept: only how much it had said before. */
export class Explanation {
  readonly #given: Given;
  /** May its words be about another one than who hears them? */
  readonly #isAmongStrangers: boolean;
  /** What it wrote to its standard output, and is no message. */
  readonly #strays: string[] = [];
  /** What it wrote to its standard error before it answered anything. */
  #complaints: string[] = [];
  /** Who has asked something of it. What it says may be about that. */
  readonly #askers: Set<string | number> = new Set();
  /** It has worked for several: they are not counted any more. */
  #isOfMany = false;
  #hasAnswered = false;
  /** Somebody's words were written to it: it may end over those. */
  #wasTold = false;
  #hasWorked = false;
  #wasAsked = false;
  #wasCalled = false;
  /** Lines on its standard error, and how many of them are older than whatever is open. */
  #lines = 0;
  #oldLines = 0;

  constructor(given: Given) {
    this.#given = given;
    this.#isAmongStrangers = given.shared === true && given.ofOne !== true;
  }

  /** Has it answered something? */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** It has answered this; without it, what opens a conversation. */
  answered(pending?: Pending): void {
    this.#hasAnswered = true;
    this.#complaints = [];
    if (pending === undefined || pending.isInitialize) return;
    if (!isTelling(pending)) this.#hasWorked = true;
    // Whoever is not known, and only wanted to know what there is, has left nothing of its own behind.
    else if (pending.caller === undefined) this.#askers.delete(pending.wireId);
  }

  /** It is told something of somebody's: what opens their conversation, or what they ask. */
  told(): void {
    this.#wasTold = true;
  }

  /** Somebody has asked it something; `isAlone`: nothing else is open. Who is not known may be another one each time. */
  asked(pending: Pending, isAlone: boolean): void {
    if (isAlone && this.#hasWorked) this.#oldLines = this.#lines;
    this.#wasAsked = true;
    this.#wasCalled ||= !isTelling(pending);
    if (!this.#isAmongStrangers || this.#isOfMany) return;
    this.#askers.add(pending.caller ?? pending.wireId);
    if (!this.#hasWorked || this.#askers.size < 2) return;
    this.#isOfMany = true;
    this.#askers.clear();
  }

  stray(words: string): void {
    if (!this.#hasAnswered && this.#strays.length < MAX_STRAYS) this.#strays.push(words);
  }

  /** It has written a line to its standard error. */
  complained(line: string): void {
    this.#lines += 1;
    if (this.#hasAnswered) return;
    this.#complaints.push(line);
    if (this.#complaints.length > MAX_COMPLAINTS) this.#complaints.shift();
  }

  /** Why it may never answer, while it runs. */
  get silence(): Silence | undefined {
    if (this.#given.isAddressed === true || !this.#isTold || this.#hasAnswered) return undefined;
    const stderr = this.#complaints;
    return silenceOf({ command: this.#typed, stderr, strays: this.#strays, hides: this.#hides });
  }

  /** Why an answer opens nothing, with what was started and what that complained of. */
  ofOpening(wrong: FaultInit): FaultInit {
    if (this.#given.isAddressed === true) return wrong;
    const { said } = lastWords(this.#isTold ? this.#complaints : [], this.#hides);
    const details = { command: this.#typed, ...(said === '' ? {} : { stderr: said }) };
    return { ...wrong, advice: SPEAKS_OTHERWISE, details };
  }

  /** What was started, and what of its words whoever asked may hear. */
  get started(): Started {
    return {
      command: this.#typed,
      wasAsked: this.#wasAsked,
      wasTold: this.#wasTold,
      hides: this.#hides,
      opened: this.#hasAnswered ? { wasCalled: this.#wasCalled } : undefined,
      tellable: this.#isTold ? this.#lines - this.#oldLines : undefined,
    };
  }

  /** The same for those who come later, and whom it may not be about. */
  faultForAll(exit: ProcessExit): LinkFault | undefined {
    return this.isMuddled || exit.reason !== undefined ? undefined : startFault(exit, this.started);
  }

  /** Its words may be about somebody's call: only one that ends before it was asked anything can be explained to all. */
  get isMuddled(): boolean {
    return this.#isOfMany || this.#askers.size > 0;
  }

  /** Is whatever it says about nobody, or about one alone? */
  get #isTold(): boolean {
    return !this.#isOfMany && this.#askers.size < 2;
  }

  /** The command as it would be typed; of its arguments those that name what is started. */
  get #typed(): string {
    const { command, args = [] } = this.#given;
    const end = args.findIndex((_, at) => !isNaming(this.#given, at));
    const shown = end < 0 ? args : [...args.slice(0, end), '…'];
    return [command, ...shown].join(' ').slice(0, MAX_TYPED);
  }

  /** What the settings give it, and nobody else is to know. Whoever is to correct a path has to see it. */
  get #hides(): readonly string[] {
    const { args = [], env = {} } = this.#given;
    const given = [...Object.values(env), ...args.filter((_, at) => !isNaming(this.#given, at))];
    return given.filter((value) => !isPlace(value));
  }
}

/** Does it only ask what there is, or whether anybody is there? */
function isTelling({ method }: Pending): boolean {
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
