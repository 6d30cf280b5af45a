/** Every limit of the server, each with a flag of the same name: `--max-message-bytes 1048576`. */
export interface Settings {
  /** Bytes of one JSON-RPC message. */
  readonly maxMessageBytes: number;
  /** Characters of a tool's description. */
  readonly maxDescriptionLength: number;
  /** Bytes of one content item, such as a note. */
  readonly maxContentBytes: number;
  /** How long a request other than a tool call may take. */
  readonly requestTimeoutMs: number;
  readonly toolTimeoutMs: number;
  readonly taskTimeoutMs: number;
  /** How long the client may take to answer a request of the server's. */
  readonly clientTimeoutMs: number;
  readonly cursorTtlMs: number;
  /** How long the progress of a finished request can be asked for. */
  readonly progressTtlMs: number;
  readonly tokenTtlMs: number;
  /** Requests of one session in any window. */
  readonly rateLimit: number;
  readonly rateWindowMs: number;
  readonly pageSize: number;
}

/** What the document says, and what it leaves open. */
export const DEFAULTS: Settings = {
  maxMessageBytes: 16 * 1024 * 1024,
  maxDescriptionLength: 10_000,
  maxContentBytes: 1024 * 1024,
  requestTimeoutMs: 30_000,
  toolTimeoutMs: 30_000,
  taskTimeoutMs: 300_000,
  clientTimeoutMs: 60_000,
  cursorTtlMs: 300_000,
  progressTtlMs: 60_000,
  tokenTtlMs: 3_600_000,
  rateLimit: 100,
  rateWindowMs: 60_000,
  pageSize: 50,
};

/** The flag of a setting: `maxMessageBytes` → `max-message-bytes`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Settings from flags; a value that is no positive number is a usage error. */
export function settingsFrom(flags: { readonly [flag: string]: unknown }): Settings {
  const given: { [name: string]: number } = {};
  for (const name of Object.keys(DEFAULTS)) {
    const value = flags[flagOf(name)];
    if (value === undefined) continue;
    const number = Number(value);
    if (!Number.isSafeInteger(number) || number <= 0)
      throw new TypeError(
        `Expected --${flagOf(name)} to be a positive whole number, got ${JSON.stringify(value)}`,
      );
    given[name] = number;
  }
  return { ...DEFAULTS, ...given };
}
