/** Messages to one reader, a line each. Answers that nobody takes must not fill the memory. */
import type { Writable } from 'node:stream';
import { jsonOf } from './json-once.ts';

/** Writes lines, and knows how far behind its reader is. */
export interface Outlet {
  /** Settles once the message is out. */
  write(message: object): Promise<void>;
  /** Settles once the reader has caught up; `undefined` while it keeps up. Nothing more is to be read from it until then. */
  behind(): Promise<void> | undefined;
  stop(): void;
}

/** Where the lines go. */
export interface OutletOptions {
  readonly stdout: Writable;
  /** How long a reader that is behind may take nothing. */
  readonly patienceMs: number;
  /** It took nothing for that long. */
  gone(error: Error): void;
}

const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** An answer that waits costs some kilobytes, however short it is. */
const MAX_UNREAD_MESSAGES = 1000;

/** An outlet over a stream. */
export function createOutlet({ stdout, patienceMs, gone }: OutletOptions): Outlet {
  let unread = 0;
  let caughtUp: Promise<void> | undefined;
  let release = (): void => {};
  let watch: NodeJS.Timeout | undefined;

  function stop(): void {
    clearInterval(watch);
    caughtUp = undefined;
    release();
  }

  function fallBehind(): void {
    caughtUp = new Promise((resolve) => {
      release = resolve;
    });
    let left = stdout.writableLength;
    watch = setInterval(() => {
      if (stdout.writableLength >= left) gone(new Error('Nobody reads the answers'));
      left = stdout.writableLength;
    }, patienceMs);
  }

  return {
    write: (message) =>
      new Promise((resolve, reject) => {
        unread += 1;
        stdout.write(`${jsonOf(message)}\n`, (error) => {
          unread -= 1;
          if (unread === 0) stop();
          if (error) reject(error);
          else resolve();
        });
        const isTooMuch = unread > MAX_UNREAD_MESSAGES || stdout.writableLength > MAX_UNREAD_BYTES;
        if (isTooMuch && caughtUp === undefined) fallBehind();
      }),
    behind: () => caughtUp,
    stop,
  };
}
