/** What is known about a process that runs and has not answered anything since it was started. */
import type { FaultInit } from '@mayday/core';
import { printable } from '../framing/printable.ts';
import { lastWords, tellable } from './last-words.ts';
import { troubleIn } from './start-trouble.ts';

/** Why a process may never answer, for whoever waited for it. */
export interface Silence {
  /** A part of a sentence. */
  readonly why: string;
  readonly advice: string;
  readonly details: { readonly [name: string]: string };
}

/** What is seen of it from outside. */
export interface Seen {
  /** As it would be typed. */
  readonly command: string;
  /** The lines of its standard error as they came, newest last. */
  readonly stderr: readonly string[];
  /** What it wrote to its standard output as it came, and is no message. */
  readonly strays: readonly string[];
  /** What it was given, and is not told. */
  readonly hides: readonly string[];
}

/** Puts together what is known. */
export function silenceOf({ command, stderr, strays, hides }: Seen): Silence {
  const { lines, said, reason } = lastWords(stderr, hides);
  const wrote = tellable(strays, hides);
  const told = wrote.redacted.map((line) => printable(line, SAID_AT_MOST));
  const [stray] = told;
  const details = {
    command,
    ...(said === '' ? {} : { stderr: said }),
    ...(stray === undefined ? {} : { stdout: told.join('\n') }),
  };
  const trouble = troubleIn(lines);
  const why =
    stray !== undefined
      ? `${SILENT}, and writes to standard output what is no message: ${quoted(stray)}`
      : trouble !== undefined
        ? `${SILENT}: ${trouble.why}`
        : reason === undefined
          ? SILENT
          : `${SILENT}; on standard error it wrote last: ${JSON.stringify(reason)}`;
  return { why, advice: adviceFor([...wrote.lines, ...lines], trouble?.advice), details };
}

/** A fault of one that did not answer in time, with what is known of why. */
export function withSilence<F extends FaultInit>(fault: F, silence: Silence | undefined): F {
  if (silence === undefined) return fault;
  // More time helps only where it was the last that ended the wait.
  const setting = fault.details?.['setting'];
  const usual = typeof setting === 'string' ? silence.advice.replace(MORE_TIME, setting) : silence.advice;
  const { message, advice = usual } = fault;
  const details = { ...silence.details, ...fault.details };
  return { ...fault, message: `${message ?? 'It did not answer'}; ${silence.why}`, advice, details };
}

/** The setting that gives a server more time to start. */
const MORE_TIME = 'open_timeout_ms';

const SAID_AT_MOST = 200;
const SILENT = 'it has not answered anything since it was started';

/** Where faults are shown to a model, messages end at a page. */
const PAGE = /<(?:!doctype\s+html|html|head|body)\b/i;

function quoted(stray: string): string {
  return PAGE.test(stray) ? 'a web page' : JSON.stringify(stray);
}

const SERVES_HTTP = /\bhttps?:\/\/\S{1,100}/;
const WAITS_FOR_A_PERSON =
  /\b(?:log(?:ging)?[ -]?in|sign(?:ing)?[ -]?in|authori[sz](?:e|ation)|authenticat(?:e|ion)|device code|browser)\b/i;
/** It has said where to go, or what to type; its own page on this machine is no such thing. */
const ASKS_A_PERSON =
  /\b(?:visit|open|go to|navigate to)\b.{0,60}\bhttps:\/\/(?!localhost\b|127\.|\[)|\b(?:enter|type|use) (?:the |this |your )?(?:following |verification )?code\b|\bpress (?:enter|return|any key)\b|[[(]y\/n[\])]/i;

/** Nobody reads further. */
const MAX_LINE = 1000;

function adviceFor(words: readonly string[], ofTrouble: string | undefined): string {
  if (ofTrouble !== undefined) return ofTrouble;
  if (words.some((line) => WAITS_FOR_A_PERSON.test(line)))
    return 'It seems to wait for somebody to sign in: start the command once by hand, sign in, then try again.';
  if (words.some((line) => ASKS_A_PERSON.test(line.slice(0, MAX_LINE))))
    return 'It seems to wait for somebody: start the command once by hand, do what it asks for, then try again.';
  if (words.some((line) => SERVES_HTTP.test(line)))
    return 'If it is a server over HTTP, give its address as `url`; if not, it may need another argument, such as `stdio`.';
  return `Is it a server over standard input and output? Start the command by hand to see what it waits for, or give it more time with \`${MORE_TIME}\`.`;
}
