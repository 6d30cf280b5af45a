/** What the tests of `docs/shaping.md` share: lists in the order that callers see, and what became of a call. */
import type { Gateway } from './gateway.ts';
import { at } from './house.ts';
import { faultOf, type Message, post, type SendOptions } from './http.ts';
import { ask, call } from './messages.ts';
import { fate } from './policy.ts';

/** `joined` for machines that have other work: no server of a test is missing because it was started late. */
export const PATIENT = { part_timeout_ms: 30_000 };

/** A tool as its server lists it. */
export function tool(name: string, more: object = {}): object {
  return { name, inputSchema: { type: 'object' }, ...more };
}

/** The definitions that an endpoint lists, in their order. */
export async function definitions(
  gateway: Gateway,
  endpoint: string,
  options: SendOptions = {},
): Promise<Message[]> {
  const { message } = await post(at(gateway, endpoint), ask('tools/list'), { within: 15_000, ...options });
  return message['result']?.tools ?? [{ name: JSON.stringify(message) }];
}

/** The names that an endpoint lists, in their order. */
export async function names(...request: Parameters<typeof definitions>): Promise<string[]> {
  return (await definitions(...request)).map((each) => String(each['name']));
}

/** The text of a success, or the fate of a failure. */
export async function told(
  gateway: Gateway,
  endpoint: string,
  name: string,
  args: unknown = {},
  options: SendOptions = {},
): Promise<string> {
  const { message } = await post(at(gateway, endpoint), call(name, args), { within: 15_000, ...options });
  const become = fate(message);
  return become === 'fine' ? String(message['result'].content[0]?.text) : become;
}

/** What a failing call was told. */
export async function fault(
  gateway: Gateway,
  endpoint: string,
  name: string,
  args: unknown = {},
  options: SendOptions = {},
): Promise<Message> {
  const { message } = await post(at(gateway, endpoint), call(name, args), { within: 15_000, ...options });
  return faultOf(message);
}

/** The structured content of one of the three tools of lazy discovery. */
export async function found(
  gateway: Gateway,
  endpoint: string,
  name: string,
  args: unknown = {},
  options: SendOptions = {},
): Promise<Message> {
  const { message } = await post(at(gateway, endpoint), call(name, args), { within: 15_000, ...options });
  return message['result']?.structuredContent ?? message;
}
