import type { ToldSecret } from './distinctive.ts';

/** One thing that was removed: which rule saw it and where. Never what it was. */
export interface Finding {
  /** Id of the rule, as `disable` and `enable` take it. */
  readonly rule: string;
  /** JSON path of the string, `$` for a plain string. */
  readonly path: string;
}

/** A value without its secrets, and what was taken out. */
export interface Redaction<T> {
  readonly value: T;
  readonly findings: readonly Finding[];
}

/**
 * A user's own rule.
 *
 * The pattern is tried on a window around each occurrence of a keyword, so it costs nothing where no keyword occurs.
 * A capture group narrows what is removed. {@link checkRule} holds the rule to its own fixtures.
 */
export interface Rule {
  readonly id: string;
  /** Word shown in the surrogate: `[order-key:1]`. Lower-case letters and dashes. */
  readonly class: string;
  /** At least one literal, two characters or longer, that every match contains. Case does not matter. */
  readonly keywords: readonly string[];
  readonly pattern: RegExp;
  readonly truePositives: readonly string[];
  readonly nearMisses: readonly string[];
}

/** How much to remove. */
export interface RedactOptions {
  /**
   * `strict` adds high-entropy words without context, odd ones behind more names, and loopback addresses. `secrets` takes
   * out what opens something, and leaves personal data and internals, whatever their names. Default `standard`.
   */
  level?: 'standard' | 'strict' | 'secrets';
  /** Rule ids to switch off. */
  disable?: readonly string[];
  /** Rule ids to switch on that the level leaves off. */
  enable?: readonly string[];
  /**
   * Labels of identifiers, beside those everybody knows (`GTIN`, `order`, `tracking`, …): a number that its label, or the
   * key it stands under, calls so is not taken for a card, a phone or a national identifier.
   */
  keep?: readonly string[];
  /**
   * What the reader of the result has written himself: of what stands in it, nothing personal, internal or merely odd is
   * taken out. Passwords, keys and tokens that are known as such are.
   */
  own?: readonly string[];
  /**
   * Values that are known to be secret: they go wherever they stand and however they are written: as they are, encoded,
   * escaped, in parts that are put together, as bytes. Odd ones go inside of a word, too. Those of less than four characters
   * and ordinary words such as `token` stay; other short ones go only as words of their own.
   */
  hide?: readonly string[];
  /**
   * What another part of the same message gives away, as `toldSecrets` finds it: it goes wherever it stands, as what is
   * hidden does.
   */
  told?: readonly ToldSecret[];
  /**
   * Tells two secrets apart without saying what they are: what it returns, 4 to 16 small hexadecimal digits, stands in the
   * surrogate, `[password:1#4f2a91c0]`. Key it: a plain hash of a password can be guessed.
   */
  digest?: (secret: string) => string;
  /** The user's own rules. */
  rules?: readonly Rule[];
}

/** Redacts a long text piece by piece; see {@link Redactor.stream}. */
export interface RedactStream {
  /** Takes the next piece and returns the text that is safe to pass on, possibly none. */
  push(chunk: string): string;
  /** Returns the rest. */
  end(): string;
  /** What has been removed so far. */
  readonly findings: readonly Finding[];
}

/** A redactor with its options compiled once. */
export interface Redactor {
  /** Redacts any value; see {@link redact}. */
  redact<T>(value: T): Redaction<T>;
  /** Redacts one string. */
  redactText(text: string): Redaction<string>;
  /** Starts a stream; surrogates are numbered through the whole of it. */
  stream(): RedactStream;
}
