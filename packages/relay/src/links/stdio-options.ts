/** What a link to a server process is told. */
import type { Opening } from './handshake.ts';
import type { LinkEvents } from './link.ts';
import type { ProcessExit } from './process-exit.ts';
import type { StdioProcessOptions } from './stdio-process.ts';

/** What to start, and how. */
export interface StdioLinkOptions
  extends Pick<StdioProcessOptions, 'command' | 'args' | 'env' | 'cwd' | 'onStderr'>,
    LinkEvents {
  readonly maxMessageBytes?: number | undefined;
  /** Requests in flight; more are turned away. */
  readonly maxPending?: number | undefined;
  /** Requests in flight of one caller, where messages say whose they are; more are turned away. */
  readonly maxPendingPerCaller?: number | undefined;
  /** Many callers speak over this link: what they choose (ids, progress tokens) is kept apart, and nobody opens it for all. */
  readonly shared?: boolean | undefined;
  /** The relay's own opening of every process: where many share it, nobody else does. */
  readonly opening?: Opening | undefined;
  /** How long a conversation may take to be opened again. */
  readonly openTimeoutMs?: number | undefined;
  /** The process ended. */
  readonly onExit?: ((exit: ProcessExit) => void) | undefined;
  readonly now?: (() => number) | undefined;
}
