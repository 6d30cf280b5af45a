/** Log lines, written together: a line at a time costs a system call at a time. */

/** Takes lines. */
export interface LineWriter {
  line(text: string): void;
  /** Writes what is left. */
  flush(): void;
}

const FLUSH_MS = 50;
const MAX_HELD = 1000;

/** Collects lines for a moment and hands them to `write` as one text. */
export function createLineWriter(write: (text: string) => void): LineWriter {
  let lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    const text = `${lines.join('\n')}\n`;
    lines = [];
    write(text);
  }
  return {
    flush,
    line(text) {
      lines.push(text.replace(/[\r\n]+/g, ' '));
      if (lines.length >= MAX_HELD) flush();
      else timer ??= setTimeout(flush, FLUSH_MS);
    },
  };
}
