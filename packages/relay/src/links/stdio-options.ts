/** What a link to a server process is told. */
import type { Opening } from './handshake.ts';
import type { LinkEvents } from './link.ts';
import type { ProcessExit } from './process-exit.ts';
import type { StartProcess, StdioProcessOptions } from './stdio-process.ts';

/** What to start, and how. */
export interface StdioLinkOptions
  extends Pick<StdioProcessOptions, 'command' | 'args' | 'env' | 'cwd' | 'onStderr'>,
    LinkEvents {
  readonly maxMessageBytes?: number | (() => number) | undefined;
  /** Requests in flight; more are turned away. */
  readonly maxPending?: number | undefined;
  /** Requests in flight of one caller, where messages say whose they are; more are turned away. */
  readonly maxPendingPerCaller?: number | undefined;
  /** Many callers speak over this link: what they choose (ids, progress tokens) is kept apart, and nobody opens it for all. */
  readonly shared?: boolean | undefined;
  /** All of it is asked for one caller, whoever a message names: what a shared process says is about nobody else. */
  readonly ofOne?: boolean | undefined;
  /** The relay's own opening of every process: where many share it, nobody else does. */
  readonly opening?: Opening | undefined;
  /** How long whoever asks waits for a conversation to be opened, where the link does so by itself. */
  readonly openTimeoutMs?: number | undefined;
  /** How long a process may take for that, where it is longer: it may have to be installed. */
  readonly startTimeoutMs?: number | undefined;
  /** The server of many has asked something, and was told that nobody can answer. Not told while it may be for a request that was given up. */
  readonly onAsked?: ((method: string) => void) | undefined;
  /** The process ended. */
  readonly onExit?: ((exit: ProcessExit) => void) | undefined;
  /** How its process is started; as a child of this one, if absent. */
  readonly start?: StartProcess | undefined;
  /** It is no process: nothing was started, and nothing is known of it but its answers. */
  readonly isAddressed?: boolean | undefined;
  readonly now?: (() => number) | undefined;
}

/** What holds where nothing else is said. */
export const STDIO_DEFAULTS: {
  readonly maxMessageBytes: number;
  readonly maxPending: number;
  readonly openTimeoutMs: number;
} = {
  maxMessageBytes: 64 * 1024 * 1024,
  maxPending: 1000,
  openTimeoutMs: 30_000,
};

/** A server that has let this much pile up does not read. */
export const MAX_BACKLOG: number = 32 * 1024 * 1024;

/** A process that has answered nothing for this long is started anew when somebody gives up waiting for it. */
export const SILENT_START_MS = 120_000;
