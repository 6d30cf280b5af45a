/** Log lines: harmless to a terminal, bounded, and written together, because every write is a system call. */
import type { Writable } from 'node:stream';

/** Takes lines. */
export interface LineWriter {
  line(text: string): void;
  /** Writes what is left. */
  flush(): void;
}

/** How lines are written. */
export interface LineOptions {
  /** Stands before each line, such as the time; nothing does if absent. */
  readonly stamp?: (() => string) | undefined;
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
export function createLineWriter(stream: Writable, { stamp }: LineOptions = {}): LineWriter {
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
    if (dropped > 0) lines.push(`… ${dropped} lines were not written, because nobody read them`);
    const text = `${lines.join('\n')}\n`;
    lines = [];
    held = 0;
    dropped = 0;
    stream.write(text);
  }

  return {
    flush,
    line(text) {
      if (isGone) return;
      const line = stamp === undefined ? toLogLine(text) : `${stamp()} ${toLogLine(text)}`;
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

/** Whatever moves a cursor, colours, hides or turns text around, and line ends that are none to us. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Most lines have none of that. */
const PLAIN = /^[ -~]*$/;

/** Any text as one line that cannot do anything to a terminal: what could is shown as its code. */
export function toLogLine(text: string): string {
  const cut = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE - 1)}…` : text;
  return PLAIN.test(cut) ? cut : cut.replace(/[\r\n\t]+/g, ' ').replace(CONTROLS, shown);
}

function shown(control: string): string {
  return `\\u${(control.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
