/** The part of a request that decides whether its body is read. */
import type { IncomingHttpHeaders } from 'node:http';

/** What is known of a request before its body is read, as Node's `IncomingMessage` has it. */
export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** The headers as they came: names and values in turn. */
  readonly rawHeaders: readonly string[];
  /** The same for all heads of one connection that differ in nothing but the length of the body; absent where nobody looked. */
  readonly alike?: object | undefined;
}
