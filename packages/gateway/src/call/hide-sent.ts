/** What a caller proves itself with, or sends as a secret, does not come back in a failing answer: others read the journal, too. */
import { addLast, type Failed, passing, setLast } from '@mayday/policy';
import {
  namesTask,
  type Related,
  taskIn,
  WatchedBack,
  type Wire,
  type WireCall,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { hiddenOutcome } from './hide-given.ts';
import { hiddenTask, hiddenTasks, inTaskMessage } from './hide-in-tasks.ts';
import { createHiding, type Hide, type Hiding } from './hiding.ts';
import { plain } from './kept-answers.ts';
import { argumentsAsSaid, credentialsOf, secretArgumentsOf } from './sent-secrets.ts';
import type { TaskSecrets } from './task-secrets.ts';

/** Callers whose credentials need not be made ready to be found again. */
const MAX_CALLERS = 16;
/** Parameters that are known to hold no secret: whoever fails and tries again says the same again. */
const MAX_HARMLESS = 256;
const LONGEST_HARMLESS = 1024;

/** Secrets of callers. */
export interface SentSecrets {
  /** Takes what a call was sent with out of words; `undefined` where it was sent with no secret. */
  hiderOf(call: WireCall): Hide | undefined;
  /** Takes it out of what became of the call, if that failed, and of what tasks say that have begun here. */
  readonly hide: WirePolicy;
  /** Takes out of what is told of a task beside its answers what the call that began it was sent with. */
  readonly hideTold: (message: Buffer) => Buffer;
}

/** Of whose calls this is. */
interface SentOptions {
  /** Do the headers of a call reach the server? Nobody's do reach a process. */
  readonly getsHeaders: boolean;
  readonly ofTasks: TaskSecrets;
}

/** What the calls to one server are sent with. */
export function createSentSecrets({ getsHeaders, ofTasks }: SentOptions): SentSecrets {
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
    const begun = isOfTask ? ofTasks.of(call.params()?.['taskId']) : [];
    const secrets = [...secretArgumentsOf(call), ...begun];
    if (secrets.length > 0) return hiderOfAll(secrets);
    if (said !== undefined) addLast(harmless, said, MAX_HARMLESS);
    return undefined;
  };
  const hiderOf = (call: WireCall): Hide | undefined => both(ofHeaders(call), ofArguments(call));
  const remember = (call: WireCall, taskId: unknown): void => {
    // Of what is told of it beside its answers nobody knows any more who asked.
    const credentials = getsHeaders ? credentialsOf(call) : [];
    const secrets = typeof taskId === 'string' ? [...secretArgumentsOf(call), ...credentials] : [];
    if (secrets.length > 0) ofTasks.remember(String(taskId), secrets);
  };
  const ofTask = (taskId: unknown): Hide | undefined => {
    const secrets = ofTasks.of(taskId);
    return secrets.length === 0 ? undefined : hiderOfAll(secrets);
  };
  /** Of what does not fail, tasks alone tell of a failure: what one has come to, where it is asked for by itself, does not. */
  const inTasks = (outcome: WireOutcome, call: WireCall): WireOutcome => {
    const { value } = outcome;
    if (!outcome.ok || value?.type !== 'answer' || !namesTask(value.body)) return outcome;
    if (call.method === 'tools/call') {
      const task = taskIn({ ...outcome, value: plain(value) });
      if (task === undefined) return outcome;
      remember(call, task['taskId']);
    } else if (!call.method.startsWith('tasks/') || call.method === 'tasks/result') return outcome;
    const ofCaller = ofHeaders(call);
    return { ...outcome, value: hiddenTasks(value, (taskId) => both(ofCaller, ofTask(taskId))) };
  };
  const hideTold = (message: Buffer): Buffer =>
    ofTasks.isEmpty() ? message : inTaskMessage(message, ofTask);
  const hide = passing<Wire, WireCall>({
    before: (call) => {
      // Whoever listens hears of tasks that begin later, too.
      if (ofTasks.isEmpty() && call.method !== 'subscriptions/listen') return call;
      const { back } = call;
      const related = (message: Related): boolean => {
        const data = hideTold(message.data);
        return back.related(data === message.data ? message : { ...message, data, raw: undefined });
      };
      return { ...call, back: new WatchedBack(back, related) };
    },
    after: (outcome, call) => {
      if (outcome.ok) return inTasks(outcome, call);
      const hider = hiderOf(call);
      return hider === undefined ? outcome : hiddenFailure(outcome, hider);
    },
  });
  return { hiderOf, hide, hideTold };
}

function both(first: Hide | undefined, second: Hide | undefined): Hide | undefined {
  return first && second ? (words, instead) => second(first(words, instead), instead) : (first ?? second);
}

/** A failure may have stood in a task, which says more beside it. */
function hiddenFailure(outcome: Failed<Wire>, hide: Hide): WireOutcome {
  const left = hiddenOutcome(outcome, hide);
  const { value } = left;
  if (left.ok || value?.type !== 'message' || value.within === undefined) return left;
  return { ...left, value: { ...value, within: hiddenTask(value.within, () => hide) } };
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
