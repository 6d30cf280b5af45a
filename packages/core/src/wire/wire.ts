/**
 * A wire: a failing message as it crosses a boundary, in the one view that all readers share.
 */
import type { Unknown } from '../json.ts';

/** Where a failure sat, or is to be put. */
export type Placement = 'protocol' | 'tool' | 'http' | 'envelope' | 'thrown' | 'text';

/** An error object with a numeric code, wherever it stood. */
export interface ErrorObject {
  readonly code: number | undefined;
  readonly message: string;
  readonly data: unknown;
}

/** The HTTP side of a message. Header names are lower case. */
export interface HttpPart {
  /** Absent around a tool's result: how the answer travelled says nothing about how the tool fared. */
  readonly status: number | undefined;
  /** Around a tool's result, the status that it travelled under: whoever believes a refusal in it looks at that, too. */
  readonly carrier?: number | undefined;
  readonly headers: ReadonlyMap<string, string>;
  /** The whole body, parsed where it is JSON: readers of one part of it pass over the others. */
  readonly said?: unknown;
  /** The words of the status line. */
  readonly reason?: string | undefined;
  /** The JSON of the body as it came: it may name a member twice, of which the parser kept one. */
  readonly json?: string | undefined;
  /** The URL that was asked, where whoever asked it says so. */
  readonly askedAt?: string | undefined;
}

/** The one view of a wire that all readers share. */
export interface Wire {
  readonly placement: Placement;
  /** False when nothing about it says failure. */
  readonly failed: boolean;
  /** What a human would read, prefixes of the SDK removed. */
  readonly text: string;
  readonly error: ErrorObject | undefined;
  readonly result: Unknown | undefined;
  /** JSON that came instead of, or inside, the text. */
  readonly body: unknown;
  readonly http: HttpPart | undefined;
  readonly thrown: Unknown | undefined;
  /** The request id, if the message has one. */
  readonly id: string | number | null | undefined;
  /** Its message says something beside the error: whoever works before it fails says it there. */
  readonly hasMore: boolean | undefined;
}

/** What a view may hold beside its place, its verdict and its text. */
export type WireParts = Partial<Omit<Wire, 'placement' | 'failed' | 'text'>>;

/** Makes a view. All have the same members in the same order, which is what makes asking them cheap. */
export function makeWire(placement: Placement, failed: boolean, text: string, parts: WireParts = NONE): Wire {
  const { error, result, body, http, thrown, id, hasMore } = parts;
  return { placement, failed, text, error, result, body, http, thrown, id, hasMore };
}

const NONE: WireParts = {};

/** Takes an exception apart, given the way to look at what it wraps. */
export type LookAtThrown = (thrown: Unknown, look: (value: unknown) => Wire) => Wire;
