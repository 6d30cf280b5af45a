/** What an upstream's last call says about it, for the operator's page. */
import { redactFault } from '@mayday/core/redact';
import { after, type Failed } from '@mayday/policy';
import {
  decode,
  isMembers,
  peek,
  type Wire,
  type WireCall,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { cleanAndShort } from './redact-faults.ts';

/** Why an upstream does not work, as far as its last call tells. */
export interface Trouble {
  readonly kind: string;
  readonly message: string;
  /** Unix time in milliseconds. */
  readonly since: number;
}

/** The health of one upstream. */
export interface Health {
  /** `undefined` while it answers, or has not been asked. */
  trouble: Trouble | undefined;
  /** What has been told of it to those who asked many at once, since it last answered. */
  readonly told: Set<string>;
}

/** An upstream in the best of health, as far as anybody knows. */
export function createHealth(): Health {
  return { trouble: undefined, told: new Set() };
}

/** Different troubles of one upstream that are told. */
const MAX_TOLD = 20;

/**
 * Is a failure of an upstream news to whoever asks many at once? One that is down is no news to each of its clients: the
 * same trouble is told once until it answers, however long one has to wait for it.
 */
export function isNews(health: Health, { answered, refused, fault }: Failed<unknown>): boolean {
  const { told } = health;
  if (answered === true) return true;
  if (told.size >= MAX_TOLD || (refused !== undefined && told.size > 0)) return false;
  const trouble = `${fault.kind} ${fault.message.replace(/\d+(?:\.\d+)? ?m?s\b/g, '')}`;
  if (told.has(trouble)) return false;
  told.add(trouble);
  return true;
}

/** Kinds that say that nobody can use the upstream, not that this call was wrong. */
const ABOUT_THE_SERVER: ReadonlySet<string> = new Set([
  'misconfigured',
  'unavailable',
  'disconnected',
  'expired',
  'timeout',
  'invalid_output',
]);

function isAboutServer({ refused, fault }: Failed<unknown>): boolean {
  return refused === undefined && fault.origin !== 'caller' && ABOUT_THE_SERVER.has(fault.kind);
}

/** Was it refused by HTTP, and not by a server that speaks MCP? Then nobody there has understood what was asked. */
export function isBareHttp(outcome: WireOutcome): boolean {
  return !outcome.ok && outcome.value?.type === 'http' && !isAnswer(outcome.value.body);
}

/** Plain interfaces say `error` too. */
function isAnswer(body: Buffer): boolean {
  if (peek(body).kind !== 'response') return false;
  const said = decode(body);
  return isMembers(said) && said['jsonrpc'] === '2.0';
}

/** A wrong path, credentials that are not valid any more, a redirect. One that is asked too often works. */
function isInTheWay(outcome: WireOutcome): boolean {
  return (
    !outcome.ok && outcome.fault.kind !== 'rate_limited' && (isBareHttp(outcome) || isTurnedAway(outcome))
  );
}

/** Does it not take what the gateway sends, whoever asks? That is said by what stands before the server, in a message too. */
function isTurnedAway({ value, fault }: Failed<Wire>): boolean {
  return value?.type === 'http' && value.status < 500 && fault.kind === 'misconfigured';
}

/** What an `initialize` is refused with where something is wrong with it, or it comes at a bad time. */
const OF_ONE_OPENING: ReadonlySet<string> = new Set([
  'unsupported',
  'rate_limited',
  'overloaded',
  'input_required',
  'cancelled',
]);

/** Nobody can call a server whose conversations cannot be opened. */
function isNotOpened({ method }: WireCall, outcome: WireOutcome): boolean {
  if (outcome.ok || outcome.refused !== undefined) return false;
  const { fault, answered, reached } = outcome;
  const isOpening = reached === true || (method === 'initialize' && answered === true);
  return isOpening && fault.reaction !== 'validation' && !OF_ONE_OPENING.has(fault.kind);
}

/** Keeps the health of an upstream up to date: any answer of the server itself shows that it lives. */
export function watchHealth(health: Health, now: () => number = Date.now): WirePolicy {
  return after((outcome, call) => {
    const isRefused = isInTheWay(outcome) || isNotOpened(call, outcome);
    if (outcome.ok || (outcome.answered === true && !isRefused)) {
      health.trouble = undefined;
      if (health.told.size > 0) health.told.clear(); // an empty set is built anew by it
    } else if (isRefused || isAboutServer(outcome)) {
      const { kind, message } = cleanAndShort(outcome.fault, redactFault);
      health.trouble = { kind, message, since: health.trouble?.since ?? now() };
    }
    return outcome;
  });
}
