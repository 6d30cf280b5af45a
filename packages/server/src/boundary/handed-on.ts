/** Was an error made of another server's answer? Then its number and words are not the author's, who only called that server. */
import { faultOf } from '@mayday/core';
import { saidKind } from '@mayday/core/forms';

/** Where the SDKs make an error of what a peer has answered. */
const OF_A_PEER = /^\s*at .*@modelcontextprotocol[\\/](?:client|sdk|server)[\\/]/;

/** What v1 puts in front of the message of every error that is made, once for each hop. */
const PREFIX = /^MCP error -?\d+: /;

/** How an error of either SDK's is told in words: by v1's prefix, or by its name. */
const PEERS_WORDS = /MCP error -?\d+: |\b(?:McpError|ProtocolError): /;

/** How far into a text its beginning goes. */
const BEGINNING = 10_000;

/** The SDKs' own errors, by the names that their classes have in all copies. */
export function wireErrorClass(reason: Error): 'McpError' | 'ProtocolError' | undefined {
  for (let proto = Object.getPrototypeOf(reason); proto !== null; proto = Object.getPrototypeOf(proto)) {
    const name = proto.constructor?.name;
    if (name === 'ProtocolError' || name === 'McpError') return name;
  }
  return undefined;
}

/**
 * Thrown on as it came, made anew of its number and words, or carried by an error of the author's: as the cause, or in any
 * other member.
 */
export function isHandedOn(reason: unknown): boolean {
  try {
    if (!(reason instanceof Error)) return false;
    return isMadeByClient(reason) || tellsOfPeer(reason) || carriesAnother(reason);
  } catch {
    return true; // who cannot be looked at proves nothing of its author's
  }
}

/** The same of an error in a result: the one that was met, or an object that carries it. */
export function isHandedOnInResult(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  try {
    return error instanceof Error ? isHandedOn(error) : carriesAnother(error);
  } catch {
    return true;
  }
}

function isMadeByClient({ stack }: Error): boolean {
  // Every error knows where it was made, unless somebody stands in front of it.
  if (typeof stack !== 'string') return true;
  const first = stack.split('\n').find((line) => /^\s*at /.test(line));
  return first !== undefined && OF_A_PEER.test(first);
}

function tellsOfPeer(reason: Error): boolean {
  const { message } = reason;
  return isPeersWords(wireErrorClass(reason) === 'McpError' ? message.replace(PREFIX, '') : message);
}

/** Do they tell of an error that a client of either SDK's has met? */
export function isPeersWords(text: string): boolean {
  return PEERS_WORDS.test(text.slice(0, BEGINNING));
}

/** At how much of an error is looked: some carry a whole connection. */
const MOST_MEMBERS = 1000;

/** Does any member tell of another error of the wire, at whatever depth? The nearest are looked at first. */
function carriesAnother(thrown: object): boolean {
  const code = memberOf(thrown, 'code');
  const seen = new Set<object>([thrown]);
  let level: readonly object[] = [thrown];
  let left = MOST_MEMBERS;
  while (level.length > 0) {
    const next: object[] = [];
    for (const holder of level) {
      for (const member of membersOf(holder, thrown)) {
        left -= 1;
        if (left < 0) return false;
        if (typeof member === 'string' && isPeersWords(member)) return true;
        if (typeof member !== 'object' || member === null || seen.has(member)) continue;
        if (saidKind(member) !== undefined) continue; // a fault of the author's own
        if (isErrorOfWire(member, code)) return true;
        seen.add(member);
        next.push(member);
      }
    }
    level = next;
  }
  return false;
}

/** An error of the SDKs', a fault that was read, or anything with the number under which the author speaks. */
function isErrorOfWire(member: object, code: unknown): boolean {
  if (member instanceof Error && wireErrorClass(member) !== undefined) return true;
  if (faultOf(member) !== undefined) return true;
  const hasText = (name: string): boolean => typeof memberOf(member, name) === 'string';
  if (hasText('kind') && hasText('executed')) return true;
  return memberOf(member, 'code') === code && hasText('message');
}

/** What the thrown error says itself is judged already. */
const JUDGED: ReadonlySet<PropertyKey> = new Set(['message', 'name']);

/** What an object has of its own, listed or not. What would have to be computed is left alone, but for that of an error. */
function* membersOf(holder: object, thrown: object): Generator<unknown> {
  if (ArrayBuffer.isView(holder)) return;
  const isError = holder instanceof Error;
  if (isError) {
    yield holder.cause;
    yield* computedBy(holder);
  }
  if (holder instanceof Map) yield* holder.keys();
  if (holder instanceof Map || holder instanceof Set) yield* holder.values();
  for (const name of Array.isArray(holder) ? firstOf(holder) : Reflect.ownKeys(holder)) {
    if (isError && (name === 'stack' || name === 'cause')) continue;
    if (holder !== thrown || !JUDGED.has(name)) yield memberOf(holder, name);
  }
}

/** What the getters of an error give, its own and those of its classes: a class may keep what was met to itself. */
function* computedBy(error: Error): Generator<unknown> {
  for (let owner: object = error; owner !== Error.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (get !== undefined && name !== 'stack' && name !== '__proto__') yield get.call(error);
  }
}

function firstOf({ length }: readonly unknown[]): Iterable<PropertyKey> {
  return Array.from({ length: Math.min(length, MOST_MEMBERS) }).keys();
}

function memberOf(holder: object, name: PropertyKey): unknown {
  return Object.getOwnPropertyDescriptor(holder, name)?.value;
}
