/**
 * What could not be reached, where the caller has named it: a page that a browser did not get to, a host that refuses
 * connections, a device that is offline. Nobody but the caller can name another one. What nobody named is the server's.
 */
import type { Kind } from '@mayday/core';
import { namesHost } from './addresses.ts';
import type { OwnValue } from './callers-value.ts';
import { isRecord, look } from './look.ts';
import { textsIn } from './sent.ts';

const LATER = 'It cannot be reached now; try again later, or name another one.';

/** What browsers and Node have for it. All else that a browser says of an address is about what is there. */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:NAME_NOT_RESOLVED|UNKNOWN_HOST|ENOTFOUND)$/, 'not_found'],
  [/TIMED_OUT$|^NET_TIMEOUT$|^ETIMEDOUT$|CONNECT_TIMEOUT$/, 'timeout'],
  [/^(?:CONNECTION_(?:RESET|CLOSED|ABORTED)|NET_RESET|EMPTY_RESPONSE|ECONNRESET|EPIPE)$/, 'disconnected'],
  [
    /^(?:(?:CONNECTION|PROXY_CONNECTION)_(?:REFUSED|FAILED)|ADDRESS_UNREACHABLE|NAME_RESOLUTION_FAILED|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EAI_AGAIN)$/,
    'unavailable',
  ],
];

function kindOf(code: string): Kind | undefined {
  return KINDS.find(([form]) => form.test(code))?.[1];
}

/** The address behind what a browser says (Chromium, Firefox), and the host or the address behind what Node says. */
const BROWSERS = /\b(?:net::ERR|NS_ERROR)_([A-Z_]{3,60})\b(?: at (\S{1,2000}))?/;
const NODES =
  /\b(?:getaddrinfo|connect|queryA{1,4}|read) (E[A-Z_]{4,20}) (\[[\da-fA-F:]{2,45}\]|[\da-fA-F]*::[\da-fA-F:]*|[\w.-]{1,253}?)(?::(\d{1,5}))?(?=$|[\s,;)]|\.(?:\s|$))/;

/** What a failure to reach it is; `undefined` where it is about something else, or nobody has named it. */
export function overReach(reason: unknown, message: string, sent: unknown): OwnValue | undefined {
  const texts = textsIn(sent);
  if (texts.length === 0) return undefined;
  return byBrowser(message, texts) ?? byNode(reason, message, texts) ?? byWords(message, texts, sent);
}

function reached(kind: Kind | undefined, words?: string): OwnValue | undefined {
  if (kind === undefined) return undefined;
  const mayPass = kind !== 'not_found' && kind !== 'unprocessable';
  return { kind, words, advice: mayPass ? LATER : undefined };
}

function byBrowser(message: string, texts: readonly string[]): OwnValue | undefined {
  const [, code, address] = BROWSERS.exec(message) ?? [];
  if (code === undefined) return undefined;
  const isNamed = address !== undefined && texts.some((text) => isSame(text, address));
  return isNamed ? reached(kindOf(code) ?? 'unprocessable') : undefined;
}

/** A browser ends an address without a path with a slash, and writes its host small. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.replace(/\/$/, ''));
  return a === b || (URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href);
}

/** Of Node's own exceptions the members tell; of those that others have put into words, the words. */
function byNode(reason: unknown, message: string, texts: readonly string[]): OwnValue | undefined {
  for (const one of [reason, look(reason, 'cause')]) {
    const code = look(one, 'code');
    const host = look(one, 'hostname') ?? look(one, 'address') ?? addressOfSeveral(one);
    const port = look(one, 'port') ?? look(firstOf(one), 'port');
    if (typeof code !== 'string' || typeof host !== 'string') continue;
    if (!isNamed(host, port, texts)) continue;
    return reached(kindOf(code), code === 'ENOTFOUND' ? `Host ${host} not found` : said(host, port, code));
  }
  const [, code = '', host, port] = NODES.exec(message) ?? [];
  return host !== undefined && isNamed(host, port, texts) ? reached(kindOf(code)) : undefined;
}

function said(host: string, port: unknown, code: string): string {
  const at = port === undefined ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return `Cannot reach ${at}: ${code}`;
}

/** A host of several addresses is tried at each of them. */
function firstOf(reason: unknown): unknown {
  return look(look(reason, 'errors'), '0');
}

function addressOfSeveral(reason: unknown): unknown {
  return look(firstOf(reason), 'address');
}

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?)$/;

/** The name of this machine stands for its address, where the port is the same. */
function isNamed(host: string, port: unknown, texts: readonly string[]): boolean {
  // A name of one word is one of many in a sentence.
  if (texts.some((text) => namesHost(text, host) && (/[.:]/.test(host) || !/\s/.test(text)))) return true;
  return (
    port !== undefined && LOOPBACK.test(host) && texts.some((text) => namesHost(text, `localhost:${port}`))
  );
}

/** That something was asked for and did not come, before or behind its address. */
const UNFETCHED =
  /\b(?:fetch(?:ing)?|get|request(?:ing)?|reach|load(?:ing)?|open(?:ing)?|navigat(?:e|ing)(?: to)?|connect(?:ing)?(?: to)?|download(?:ing)?|crawl(?:ing)?|scrap(?:e|ing)|retrieve|access)(?: (?:the )?(?:url|uri|page|site|website|address|host|feed|image|file))?:? ["'`<(]?((?:https?|wss?|ftp):\/\/[^\s"'`<>]{1,2000}?)["'`>)]?(?=[.,:;]?(?:\s|$))[^\n]{0,40}?\b(?:fetch failed|failed to fetch|network error|socket hang up|(?:connection|request) (?:refused|timed out|failed|reset)|unreachable|ECONN[A-Z]+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)\b/i;
/** How something is that does not answer. */
const AWAY =
  /^ (?:is|was|are|seems|appears|went|has gone)(?: to be)?(?: (?:currently|now|still|temporarily|at the moment))? (?:unavailable|offline|unreachable|disconnected|asleep|powered off|switched off|not (?:responding|reachable|available|online|connected|paired))\b|^ (?:could not|cannot|can't|can not) be (?:reached|contacted)\b|^ (?:does not|doesn't|did not) respond\b/i;

function byWords(message: string, texts: readonly string[], sent: unknown): OwnValue | undefined {
  const address = UNFETCHED.exec(message)?.[1];
  if (address !== undefined && texts.some((text) => isSame(text, address))) {
    const code = /\b(?:E[A-Z]{6,15}|EAI_AGAIN)\b/.exec(message)?.[0] ?? '';
    return reached(kindOf(code) ?? 'unavailable');
  }
  return isThingAway(message, sent) ? reached('unavailable') : undefined;
}

const LONGEST = 160;
/** What no sentence has by chance: a sign, a digit, several words, a large letter within. */
const DISTINCT = /[\d._:@/ -]|.[A-Z]/;
const MOST_ARGUMENTS = 100;

/** Does a short sentence begin with what was sent, perhaps behind what it is, and say that it is not there? */
function isThingAway(message: string, sent: unknown): boolean {
  if (message.length > LONGEST || message.includes('\n') || !isRecord(sent)) return false;
  return Object.entries(sent)
    .slice(0, MOST_ARGUMENTS)
    .some(([name, value]) => {
      if (typeof value !== 'string' || value.length < 2) return false;
      const at = message.indexOf(value);
      const before = message.slice(0, at).replace(/["'`]$/, '');
      const isQuoted = at > 0 && /["'`]/.test(message[at - 1] ?? '');
      const after = message.slice(at + value.length + (isQuoted ? 1 : 0));
      if (at < 0 || !AWAY.test(after) || !/^(?:[A-Za-z-]{1,20} ){0,3}$/.test(before)) return false;
      return isQuoted || DISTINCT.test(value) || before.trim().toLowerCase().endsWith(name.toLowerCase());
    });
}
