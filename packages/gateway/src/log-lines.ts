/** Log lines: harmless to a terminal, bounded, and written together, because every write is a system call. */
import type { Writable } from 'node:stream';

/** Takes lines. */
export interface LineWriter {
  /** Takes a line; `facts` is what it says, apart, for a log in JSON. */
  line(text: string, facts?: LogFacts): void;
  /** Writes what is left. */
  flush(): void;
}

/** What a line says, apart. */
export type LogFacts = { readonly [name: string]: string | number | boolean | undefined };

/** How lines are written. */
export interface LineOptions {
  /** `json` makes each line a JSON object, with the time in it. */
  readonly format?: 'text' | 'json' | undefined;
  /** Stands before each line, such as the time; nothing does if absent. */
  readonly stamp?: (() => string) | undefined;
  /** Named in each line, where several write to one log. */
  readonly worker?: number | undefined;
}

const FLUSH_MS = 50;
/** A longer line says nothing more to a person. */
const MAX_LINE = 4096;
/** Written at once. */
const MAX_BATCH = 1000;
/** Held back for a reader that does not read; what comes after that is counted, not kept. */
const MAX_HELD_CHARS = 4 * 1024 * 1024;

/**
 * Collects lines for a moment and writes them as one text. A reader that is slow loses lines and is told how
 * many; one that is gone loses them all: neither holds up the gateway.
 */
export function createLineWriter(stream: Writable, options: LineOptions = {}): LineWriter {
  const toLine = options.format === 'json' ? toJsonLine : toTextLine;
  let lines: string[] = [];
  let held = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let isGone = false;
  // One listener for as long as the stream lives: a stream that fails without one ends the process.
  stream.on('error', () => {
    isGone = true;
  });
  stream.on('drain', () => flush());

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isGone || stream.writableNeedDrain || (lines.length === 0 && dropped === 0)) return;
    if (dropped > 0) {
      const told = `… ${dropped} lines were not written, because nobody read them`;
      lines.push(options.format === 'json' ? toJsonLine(told, undefined, options) : told);
    }
    const text = `${lines.join('\n')}\n`;
    lines = [];
    held = 0;
    dropped = 0;
    stream.write(text);
  }

  return {
    flush,
    line(text, facts) {
      if (isGone) return;
      const line = toLine(text, facts, options);
      if (held + line.length > MAX_HELD_CHARS) {
        dropped++;
        return;
      }
      lines.push(line);
      held += line.length;
      if (lines.length >= MAX_BATCH) flush();
      else timer ??= setTimeout(flush, FLUSH_MS);
    },
  };
}

function toTextLine(text: string, _facts: LogFacts | undefined, { stamp, worker }: LineOptions): string {
  const named = worker === undefined ? toLogLine(text) : `worker=${worker} ${toLogLine(text)}`;
  return stamp === undefined ? named : `${stamp()} ${named}`;
}

function toJsonLine(text: string, facts: LogFacts | undefined, { stamp, worker }: LineOptions): string {
  const time = stamp?.() ?? new Date().toISOString();
  return JSON.stringify({ time, level: levelOf(text), worker, message: toLogLine(text), ...facts });
}

/** How much it matters, by the words that lines begin with. */
function levelOf(text: string): 'info' | 'warn' | 'error' {
  if (text.startsWith('bug: ')) return 'error';
  return WARNINGS.test(text) ? 'warn' : 'info';
}

const WARNINGS =
  /^(?:warning: |not reloaded: |fault |refused |telemetry: http|error budget used up|store: |worker \d+ has ended|dialect=|… |upstream=\S+ circuit open)/;

/** Whatever moves a cursor, colours, hides or turns text around, and line ends that are none to us. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Most lines have none of that. */
const PLAIN = /^[ -~]*$/;

/** Any text as one line that cannot do anything to a terminal: what could is shown as its code. */
export function toLogLine(text: string): string {
  if (text === lastLine) return text;
  const line = asLine(text);
  if (line.length <= MAX_LINE) lastLine = line;
  return line;
}

/** Whoever puts a line together of what was looked at before says so, and it is not looked at again. */
export function asLogLine(text: string): string {
  lastLine = text;
  return text;
}

/** Whoever passes a line on and whoever writes it see to it that it is one: the second of them has it at hand. */
let lastLine = '';

function asLine(text: string): string {
  const cut = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE - 1)}…` : text;
  return PLAIN.test(cut) ? cut : cut.replace(/[\r\n\t]+/g, ' ').replace(CONTROLS, shown);
}

function shown(control: string): string {
  return `\\u${(control.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
