/**
 * Addresses that nobody can ask: no URL, a scheme or a port that `fetch` refuses. The
 * caller's to correct where it is among the arguments, else a setting of the server's.
 */
import type { OwnValue } from './callers-value.ts';
import { look } from './look.ts';
import { textsIn } from './sent.ts';

const SCHEME =
  /^(?:unknown scheme|not implemented\.{3} yet|unsupported protocol|protocol "[\w+.-]+:?" not supported)/i;
const PORT = /^bad port/i;
/** A piece must have this much, to tell it from any other. */
const SHORTEST = 3;

/** What a failure over an address is; `undefined` when it is about something else. */
export function overAddress(reason: unknown, sent: unknown): OwnValue | undefined {
  const texts = textsIn(sent);
  for (const one of [reason, look(reason, 'cause')]) {
    const message = look(one, 'message');
    const input = look(one, 'input');
    const code = look(one, 'code');
    if (typeof message !== 'string') continue;
    if (code === 'ERR_INVALID_URL' && typeof input === 'string')
      return texts.some((text) => isStart(text, input))
        ? { kind: 'invalid_arguments', words: `Invalid URL: ${input}` }
        : { kind: 'misconfigured' };
    if (SCHEME.test(message) || PORT.test(message))
      return texts.some((text) => isRefused(text, PORT.test(message)))
        ? { kind: 'invalid_arguments', words: `Cannot fetch this address: ${message}` }
        : { kind: 'misconfigured' };
  }
  return undefined;
}

/** Where an address begins decides whether it is one. */
function isStart(text: string, input: string): boolean {
  if (text === input) return true;
  const long = (piece: string): boolean => piece.length >= SHORTEST;
  return (long(text) && input.startsWith(text)) || (long(input) && text.includes(input));
}

function isRefused(text: string, byPort: boolean): boolean {
  try {
    const { protocol, port } = new URL(text);
    return byPort ? port !== '' : !/^https?:$/.test(protocol);
  } catch {
    return false; // no address at all
  }
}

/** Does a text name a host? */
export function namesHost(text: string, host: string): boolean {
  const lower = text.toLowerCase();
  const at = lower.indexOf(host.toLowerCase());
  return (
    at >= 0 &&
    !/[\w.-]/.test(lower[at - 1] ?? '') &&
    !/^(?:[\w-]|\.\w)/.test(lower.slice(at + host.length, at + host.length + 2))
  );
}

/** An address with its port, of which it is said that nobody is there; a colon ends what is said of it, and much else goes down. */
const DOWN =
  /(?:^|[\s@/(])([\w-]+(?:\.[\w-]+)*):\d{2,5}(?:\/[^\s:]{0,200})?(?![^\s),'"\]])[^.;:]{0,40}?\b(?:(?:not|un) ?(?:available|reachable|responding)|(?<!\b(?:slow|slows|slowed|slowing|scroll|break|cut|drop|go|goes|went|gone|write|tear|turn|shut|come|came|fall|fell|keep|calm|cool|narrow|drill|pull|mark|step)s? )down)\b/i;

/** Is nobody at an address of the server’s own? */
export function isServerDown(message: string, sent: unknown): boolean {
  const host = DOWN.exec(message)?.[1];
  return host !== undefined && !textsIn(sent).some((text) => text.includes(host));
}
