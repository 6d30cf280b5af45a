/** Every limit of the server, each with a flag of the same name: `--max-message-bytes 1048576`. */
import { countFrom } from '@mayday/reference-shared';

/** What the document says, and what it leaves open. */
export const DEFAULTS = {
  /** Bytes of one JSON-RPC message. */
  maxMessageBytes: 16 * 1024 * 1024,
  /** Characters of a tool's description. */
  maxDescriptionLength: 10_000,
  /** Bytes of one content item, such as a note. */
  maxContentBytes: 1024 * 1024,
  /** How long a request other than a tool call may take. */
  requestTimeoutMs: 30_000,
  toolTimeoutMs: 30_000,
  taskTimeoutMs: 300_000,
  /** How long the client may take to answer a request of the server's. */
  clientTimeoutMs: 60_000,
  cursorTtlMs: 300_000,
  /** How long the progress of a finished request can be asked for. */
  progressTtlMs: 60_000,
  tokenTtlMs: 3_600_000,
  /** Requests of one caller in any window, over all sessions. */
  rateLimit: 100,
  rateWindowMs: 60_000,
  pageSize: 50,
};

/** The limits of a running server. */
export type Settings = Readonly<typeof DEFAULTS>;

/** The flag of a setting: `maxMessageBytes` → `max-message-bytes`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Settings from flags. Exits with 2 on a value that is no positive number. */
export function settingsFrom(flags: { readonly [flag: string]: string | undefined }): Settings {
  const given = Object.entries(DEFAULTS).map(([name, usual]) => [name, flagOf(name), usual] as const);
  return Object.fromEntries(
    given.map(([name, flag, usual]) => [name, countFrom(flag, flags[flag], usual)]),
  ) as Settings;
}
