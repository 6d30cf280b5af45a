/** What the document asks of a client: look for the error first, log it, retry what is transient, tell the user. */
import { clientAdvice, userMessage } from '@mayday/core/dialects/erlmcp';
import { pause, printable, type ToolCall, tooLong } from '@mayday/reference-shared/client';

/** An answer of the server's. */
export interface Answer {
  readonly result?: unknown;
  readonly error?:
    | { readonly code: number; readonly message: string; readonly data?: unknown }
    | null
    | undefined;
}

/** What became of a request: the result is out of reach when there is none. */
export type Outcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly forUser: string };

/** What the client stands on. */
export interface ClientOptions {
  readonly log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  readonly sleep: (ms: number) => Promise<void>;
  /** All attempts together; 3. */
  readonly maxAttempts?: number;
}

/** Sends a request until it has an outcome. */
export async function request(
  send: () => Promise<Answer>,
  { log, sleep, maxAttempts = 3 }: ClientOptions,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    const { error, result } = await send();
    if (error === undefined || error === null) return { ok: true, result };
    const { code, message, data } = error;
    const { retry, afterMs } = clientAdvice(code, retryAfter(data));
    const asked = tooLong(afterMs);
    if (!retry || asked !== '' || attempt >= maxAttempts) {
      log.error({ code, message, data }, `Error ${code}: ${message}`);
      return { ok: false, code, message, forUser: userMessage(code) + asked };
    }
    log.warn({ code, message, data, afterMs }, `${message}, retrying...`);
    await sleep(afterMs);
  }
}

/** The wait that the server asks for, in seconds. */
function retryAfter(data: unknown): number | undefined {
  const wait = (data as { retry_after?: unknown } | null | undefined)?.retry_after;
  return typeof wait === 'number' ? wait : undefined;
}

/** What it calls retryable may have happened. */
export const dialect = 'erlmcp';

/** The same from the command line: the result, or a sentence for the user. */
export async function callSample(call: ToolCall): Promise<unknown> {
  const line = (fields: object, message: string): void =>
    void process.stderr.write(`${printable(`${message} ${JSON.stringify(fields)}`)}\n`);
  const outcome = await request(call.send, { log: { warn: line, error: line }, sleep: pause });
  if (outcome.ok) return outcome.result;
  throw new Error(outcome.forUser);
}
