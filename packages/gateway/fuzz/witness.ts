/** A well-behaved caller beside the hostile ones: it must never notice them. */

import { type Message, post } from '../acceptance/support/http.ts';
import { call, initialize, modern } from '../acceptance/support/messages.ts';

/** What a witness saw. */
export interface Witness {
  /** How long each call took, in milliseconds. */
  readonly times: readonly number[];
  /** What went wrong since this was last asked. */
  told(): string[];
  stop(): Promise<void>;
}

/** Where and as whom a witness calls. */
export interface WitnessOptions {
  readonly url: string;
  readonly tool: string;
  readonly key: string;
  readonly era: '2025' | '2026';
  readonly session: boolean;
  readonly limitMs: number;
  /** What a right answer says to this text. */
  readonly right: (text: string) => string;
}

/** Starts a witness that calls again and again until it is stopped. */
export function startWitness(name: string, options: WitnessOptions): Witness {
  const times: number[] = [];
  const troubles: string[] = [];
  let running = true;
  const loop = async (): Promise<void> => {
    const session = options.session ? await opened(options) : undefined;
    for (let index = 0; running; index += 1) {
      const trouble = await once(options, session, `${name}-${index}`, times);
      if (trouble !== undefined && running) troubles.push(`${options.url} ${options.era}: ${trouble}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  const done = loop().catch((error: unknown) => {
    if (running) troubles.push(`${options.url} ${options.era}: ${String(error)}`);
  });
  return {
    times,
    told: () => troubles.splice(0),
    stop: () => {
      running = false;
      return done;
    },
  };
}

/** One call of a witness; what was wrong with it, if anything. */
export async function once(
  options: WitnessOptions,
  session: string | undefined,
  id: string,
  times: number[],
): Promise<string | undefined> {
  const { url, tool, key, era, limitMs } = options;
  const text = `text ${id}`;
  const request = call(tool, { text }, id);
  try {
    const sent: Message = era === '2026' ? modern(request) : request;
    const { status, message, ms, body } = await post(url, sent, { key, era, session, within: limitMs });
    times.push(ms);
    const said = message['result']?.content?.[0]?.text;
    const right = status === 200 && message['id'] === id && said === options.right(text);
    return right ? undefined : `${status} ${body.slice(0, 300)}`;
  } catch (error) {
    return String(error);
  }
}

async function opened({ url, key, limitMs }: WitnessOptions): Promise<string> {
  const { headers, body } = await post(url, initialize(), { key, within: limitMs });
  const session = headers['mcp-session-id'];
  if (typeof session !== 'string') throw new Error(`no session was opened: ${body.slice(0, 200)}`);
  return session;
}
