/** What a caller proves itself with, or sends as a secret, does not come back in a failing answer: others read the journal, too. */
import { addLast, after, setLast } from '@mayday/policy';
import { taskIn, type WireCall, type WireOutcome, type WirePolicy } from '@mayday/relay';
import { hiddenOutcome } from './hide-given.ts';
import { createHiding, type Hide, type Hiding } from './hiding.ts';
import { argumentsAsSaid, credentialsOf, secretArgumentsOf } from './sent-secrets.ts';

/** Tasks whose arguments are remembered: what one has come to is asked for without them. */
const MAX_TASKS = 1000;
/** Callers whose credentials need not be made ready to be found again. */
const MAX_CALLERS = 16;
/** Parameters that are known to hold no secret: whoever fails and tries again says the same again. */
const MAX_HARMLESS = 256;
const LONGEST_HARMLESS = 1024;

/** Secrets of callers. */
export interface SentSecrets {
  /** Takes what a call was sent with out of words; `undefined` where it was sent with no secret. */
  hiderOf(call: WireCall): Hide | undefined;
  /** Takes it out of what became of the call, if that failed. */
  readonly hide: WirePolicy;
}

/** What the calls to one server are sent with; nobody's headers reach one that is a process. */
export function createSentSecrets({ getsHeaders }: { readonly getsHeaders: boolean }): SentSecrets {
  const ofTasks = new Map<string, readonly string[]>();
  const ofCallers = new Map<string, Hide>();
  const harmless = new Set<string>();

  const ofHeaders = (call: WireCall): Hide | undefined => {
    const credentials = getsHeaders ? credentialsOf(call) : [];
    if (credentials.length === 0) return undefined;
    const key = credentials.join('\n'); // no header has one
    const hide = ofCallers.get(key) ?? hiderOfAll(credentials);
    setLast(ofCallers, key, hide, MAX_CALLERS);
    return hide;
  };
  const ofArguments = (call: WireCall): Hide | undefined => {
    const isOfTask = call.method.startsWith('tasks/');
    const said = isOfTask ? undefined : argumentsAsSaid(call, LONGEST_HARMLESS);
    if (said !== undefined && harmless.has(said)) return undefined;
    const begun = isOfTask ? ofTasks.get(String(call.params()?.['taskId'])) : [];
    const secrets = [...secretArgumentsOf(call), ...(begun ?? [])];
    if (secrets.length > 0) return hiderOfAll(secrets);
    if (said !== undefined) addLast(harmless, said, MAX_HARMLESS);
    return undefined;
  };
  const hiderOf = (call: WireCall): Hide | undefined => {
    const [first, second] = [ofHeaders(call), ofArguments(call)];
    return first && second ? (words, instead) => second(first(words, instead), instead) : (first ?? second);
  };
  const remember = (call: WireCall, outcome: WireOutcome): void => {
    const taskId = call.method === 'tools/call' ? taskIn(outcome)?.['taskId'] : undefined;
    const secrets = typeof taskId === 'string' ? secretArgumentsOf(call) : [];
    if (secrets.length > 0) setLast(ofTasks, String(taskId), secrets, MAX_TASKS);
  };
  return {
    hiderOf,
    hide: after((outcome, call) => {
      if (outcome.ok) remember(call, outcome);
      const hide = outcome.ok ? undefined : hiderOf(call);
      return hide === undefined ? outcome : hiddenOutcome(outcome, hide);
    }),
  };
}

/** Each is made ready to be found by the first words that have room for it: most failures are shorter than a token. */
function hiderOfAll(secrets: readonly string[]): Hide {
  const waiting = secrets
    .map((secret) => ({ secret, room: roomFor(secret) }))
    .sort((one, other) => other.room - one.room);
  let known: Hiding | undefined;
  return (words, instead) => {
    for (let next = waiting.at(-1); next !== undefined && next.room <= words.length; next = waiting.at(-1)) {
      known ??= createHiding();
      known.add(next.secret);
      waiting.pop();
    }
    return known === undefined ? words : known.hide(words, instead);
  };
}

/** The fewest letters that it can be written in: as a number, or without its signs. */
function roomFor(secret: string): number {
  if (/^[\d.]+$/.test(secret)) return 0;
  return Math.min(secret.length, secret.match(/[\p{L}\p{N}]/gu)?.length ?? 0);
}
