/** What a failing answer means. */
import {
  type Fault,
  type JsonObject,
  type Language,
  language,
  makeFault,
  type ReadOptions,
} from '@mayday/core';
import { namesTwice } from '@mayday/core/prose';
import type { Clean } from '@mayday/core/redact';
import { decode, isMembers } from '../framing/json.ts';
import { createFailureFinder } from '../framing/may-have-failed.ts';
import { peek } from '../framing/peek.ts';
import type { HttpHead } from '../links/link.ts';
import { wholeHead } from '../links/whole-head.ts';
import type { Hear, Heard, SaidHttp, SaidMessage, WireCall } from './call.ts';
import { SaidBefore } from './said-before.ts';

/** How failures are read, and in which language; in all dialects that come with `@mayday/core`, if absent. */
export interface HearOptions extends ReadOptions {
  readonly language?: Language | undefined;
  /** Takes out what must not be told by half where a failure is too long; what everybody's secrets are, if absent. */
  readonly clean?: Clean | undefined;
  /** Does the server list this tool to whoever calls? What is said of its name is how it failed, then; unknown, if absent. */
  readonly isListed?: ((call: WireCall, tool: string) => boolean) | undefined;
}

/** What was called: words about one thing are read differently from the same words about another. */
type Called = NonNullable<ReadOptions['called']>;

function calledBy(call: WireCall, isListed: HearOptions['isListed']): Called | undefined {
  const { method, target } = call;
  if (method !== 'tools/call' || target === undefined) return undefined;
  return { type: 'tool', id: target, isListed: isListed?.(call, target) };
}

function isSame(one: Called | undefined, other: Called | undefined): boolean {
  return one?.id === other?.id && one?.type === other?.type && one?.isListed === other?.isListed;
}

/** Finds and reads failures, in the dialect that a server is said to speak or turns out to. */
export function createHear({
  language: spoken = language,
  clean,
  isListed,
  ...options
}: HearOptions = {}): Hear {
  const finder = createFailureFinder(spoken, clean);
  const before = new SaidBefore();
  const readings = new WeakMap<object, { readonly of: Called | undefined; readonly heard: Heard }>();
  return {
    failureIn(bytes, seen) {
      if (!finder.mayHaveFailed(bytes)) return undefined;
      return before.failureIn(
        bytes,
        () => seen ?? peek(bytes),
        () => finder.failureIn(bytes),
      );
    },
    understand(call, said) {
      const called = calledBy(call, isListed);
      const reading = { ...options, called };
      const message = said.type === 'message' && isMembers(said.message) ? said.message : undefined;
      const known = message && readings.get(message);
      if (known !== undefined && isSame(known.of, called))
        return underItsHead(known.heard, spoken, said, reading);
      const heard = understood(spoken, said, reading);
      // How long to wait may have been counted from now.
      if (message !== undefined && heard.fault.retry.afterMs === undefined)
        readings.set(message, { of: called, heard });
      return underItsHead(heard, spoken, said, reading);
    },
  };
}

const OK = 200;

/** Headers that any answer has, whatever it is about, and what they say there; with any more, they are read like others. */
const USUAL: ReadonlyMap<string, RegExp> = new Map([
  ['content-type', /^(?:application\/json|text\/event-stream)(?:; ?charset=utf-8)?$/i],
  ['content-length', /^\d{1,15}$/],
  ['date', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/],
]);

/** Is there nothing in the head that would have to be read? Most have nothing. */
function isPlain({ status, statusText, headers }: HttpHead): boolean {
  return (
    status === OK &&
    /^(?:ok)?$/i.test(statusText) &&
    Object.entries(headers).every(([name, value]) => USUAL.get(name)?.test(String(value)) === true)
  );
}

/** The same message comes under other heads, and what stands there may tell what became of the work. */
function underItsHead(
  heard: Heard,
  spoken: Language,
  said: SaidMessage | SaidHttp,
  options: ReadOptions,
): Heard {
  if (heard.fault.executed !== 'no' || said.type === 'http' || said.head === undefined) return heard;
  const head = wholeHead(said.head);
  if (isPlain(head)) return heard;
  const reading = spoken.read({ http: { ...head, body: said.message } }, options);
  const isRefused = reading.failure && reading.fault.executed === 'no';
  return isRefused ? heard : { ...heard, fault: { ...heard.fault, executed: 'maybe' } };
}

function understood(spoken: Language, said: SaidMessage | SaidHttp, options: ReadOptions): Heard {
  const wire =
    said.type === 'message'
      ? said.message
      : { http: { ...wholeHead(said.head), body: said.body.toString('utf8') } };
  const first = spoken.read(wire, options);
  const isDoubtful = first.failure && first.fault.executed === 'no' && saysTwice(said);
  const reading = isDoubtful ? spoken.read(wire, { ...options, began: true }) : first;
  if (!reading.failure) {
    const fault = makeFault({ kind: 'unknown', message: 'The server failed without saying why' });
    return { fault, dialect: null, placement: 'protocol', certainty: 0 };
  }
  const { dialect, certainty, evidence } = reading;
  const moved = said.type === 'http' ? redirectOf(said, reading.fault) : undefined;
  if (moved !== undefined) return { fault: moved, dialect: null, certainty: 1, placement: 'protocol' };
  const fault = dialect === null ? withItsError(reading.fault, said) : reading.fault;
  const placement = reading.placement === 'protocol' ? 'protocol' : 'tool';
  return { fault, dialect, certainty, placement, byStatus: evidence[0]?.by === 'status' };
}

/** What a parser has dropped may tell what became of the work. Of a body, the reader sees it by itself. */
function saysTwice(said: SaidMessage | SaidHttp): boolean {
  return said.type === 'message' && namesTwice(said.bytes.toString('utf8'), decode(said.bytes));
}

/** Never followed: the request carries the operator's credentials, and the other place is not the operator's choice. */
function redirectOf({ status, headers }: SaidHttp, { executed }: Fault): Fault | undefined {
  const { location } = headers;
  if (status < 300 || status >= 400 || location === undefined) return undefined;
  const origin = URL.canParse(String(location)) ? new URL(String(location)).origin : undefined;
  // A path may be what keeps strangers out.
  const where = origin === undefined || origin === 'null' ? 'another path' : origin;
  return makeFault({
    kind: 'misconfigured',
    origin: 'upstream',
    executed,
    message: `The server redirects to ${where} (HTTP ${status}), which is not followed; its \`url\` may have to change`,
    advice: 'Ask its `url` by hand (curl -i) to see where it redirects to, and put that in its place.',
  });
}

/** More than this stays in the answer alone: faults are kept. */
const MAX_DETAILS_BYTES = 64 * 1024;

/** A code that no dialect knows, and the data beside it, are still what the server said. */
function withItsError(fault: Fault, said: SaidMessage | SaidHttp): Fault {
  const message = said.type === 'message' ? said.message : decode(said.body);
  const error = isMembers(message) && message['jsonrpc'] === '2.0' ? message['error'] : undefined;
  if (!isMembers(error)) return fault;
  const { code, data } = error;
  const size = (said.type === 'message' ? said.bytes : said.body).length;
  const isKept = data !== undefined && data !== null && size <= MAX_DETAILS_BYTES;
  const details = isKept ? ((isMembers(data) ? data : { data }) as JsonObject) : undefined;
  return makeFault({
    ...fault,
    details: fault.details ?? details,
    native: fault.native ?? (typeof code === 'number' ? { dialect: 'json-rpc', code } : undefined),
  });
}
