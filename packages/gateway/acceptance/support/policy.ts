/** What the tests of `docs/policy.md` share: verdicts in one word, the command line, and a request for each kind of thing. */
import { mayday as commandLine } from '../../../cli/test/mayday.ts';
import type { Gateway } from './gateway.ts';
import { at } from './house.ts';
import { type Answer, faultOf, type Message, post, type SendOptions } from './http.ts';
import { call } from './messages.ts';

/** What a command said. */
export interface Said {
  readonly code: number | string;
  readonly out: string;
  readonly all: string;
}

/** Runs `mayday …` in a folder, as a person would. */
export async function mayday(folder: string, ...args: readonly string[]): Promise<Said> {
  const { code, out, err } = await commandLine(args, '', { cwd: folder });
  return { code: code ?? 'ended by a signal', out, all: out + err };
}

/** `fine`, or the kind of the failure. */
export function verdict(message: Message): string {
  const worked = message['result'] !== undefined && message['result'].isError !== true;
  return worked ? 'fine' : String(faultOf(message)['kind'] ?? JSON.stringify(message));
}

/** The verdict and, for a failure, whether it happened: `forbidden/no`. */
export function fate(message: Message): string {
  const kind = verdict(message);
  return kind === 'fine' ? kind : `${kind}/${faultOf(message)['executed']}`;
}

/** Calls a tool at an endpoint; at the joined one (`''`) the name is given as it is there. */
export function use(
  gateway: Gateway,
  endpoint: string,
  tool: string,
  args: unknown = {},
  options: SendOptions = {},
): Promise<Answer> {
  return post(at(gateway, endpoint), call(tool, args), { within: 15_000, ...options });
}

/** The same, reduced to its fate. */
export async function tried(...request: Parameters<typeof use>): Promise<string> {
  return fate((await use(...request)).message);
}

/** The fates of many calls at once, sorted. */
export async function together(count: number, make: (index: number) => Promise<string>): Promise<string[]> {
  return (await Promise.all(Array.from({ length: count }, (_, index) => make(index)))).sort();
}

/** The same text `count` times. */
export function times(count: number, text: string): string[] {
  return Array.from({ length: count }, () => text);
}

/** Waits. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The ordinary tool of a puppet under any name. */
export function named(...names: readonly string[]): object[] {
  return names.map((name) => ({ name, inputSchema: { type: 'object' } }));
}

/** What was asked for in a list. */
export function listed(message: Message, member: string, field = 'name'): string[] {
  const found: Message[] = message['result']?.[member] ?? [{ [field]: JSON.stringify(message) }];
  return found.map((each) => String(each[field])).sort();
}
