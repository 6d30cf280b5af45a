/** `subscriptions/listen` with many servers: one stream, into which all of them speak. */
import type { Json } from '@mayday/core';
import { SUBSCRIPTION_KEY } from '@mayday/core/protocol';
import { either, type Failed, startCall } from '@mayday/policy';
import {
  answered,
  CallEnded,
  encode,
  idOf,
  isMembers,
  lost,
  OUTDATED,
  peek,
  WatchedBack,
  type Wire,
  type WireCall,
  type WireOutcome,
} from '@mayday/relay';
import { tasksListenedTo } from '../access/listen-within.ts';
import { within } from '../within.ts';
import { forward, recordFailure } from './forward.ts';
import { type HolderContext, likelyOwner } from './holder.ts';
import type { JoinedLink } from './joined-link.ts';
import type { Part } from './part.ts';
import { knownRunner } from './runner.ts';
import { acknowledgedIn, type Filter, Subscription } from './subscription.ts';
import { type NamedTask, withTaskNames } from './task-names.ts';
import { hasNone, isForbidden, mostTelling } from './telling.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** Listens to all of them until the caller leaves. One that goes away is listened to again when it is back. */
export async function listenToAll(
  call: WireCall,
  link: JoinedLink,
  context: HolderContext,
): Promise<WireOutcome> {
  const [only, another] = link.parts.values();
  const { hasToolsOnly } = context.view;
  const wanted = call.params()?.['notifications'];
  const asked = hasToolsOnly ? ofTools(wanted) : wanted;
  const isForOne = another === undefined && tasksListenedTo(call) === undefined;
  if (only !== undefined && (isForOne || !isMembers(asked)) && !hasToolsOnly)
    return listenToOne(call, only, link);
  const ender = new AbortController();
  const stop = (): void => ender.abort(call.signal.reason);
  call.signal.addEventListener('abort', stop);
  const id = idOf(call.body, call.peek) ?? null;
  const subscription = new Subscription(call, id);
  const listeners = new Map<Part, Listener>();
  const ends: Promise<WireOutcome>[] = [];
  const listen = (part: Part): void => {
    const filter = filterFor(part, isMembers(asked) ? asked : {}, link, (task) =>
      knownRunner(call, task, link, { ...context, tasks: link.known.tasks }),
    );
    const question = filter && questionOf(call, id, filter, ender.signal);
    if (question === undefined) return;
    const listener = new Listener(part, question, subscription, context);
    listeners.set(part, listener);
    ends.push(listener.run());
  };
  for (const part of link.parts.values()) listen(part);
  const unfollow = link.whenOthers(() => {
    const parts = new Set(link.parts.values());
    for (const part of parts) if (!listeners.has(part)) listen(part);
    for (const [part, listener] of listeners) {
      if (parts.has(part)) continue;
      listeners.delete(part);
      listener.stop();
    }
    subscription.changed();
  });
  const isHeard = await someAreHeard([...listeners.values()], context.partTimeoutMs);
  if (isHeard) {
    subscription.acknowledge();
    for (const listener of listeners.values()) await listener.record();
    await allOf(ends);
  } else ender.abort();
  unfollow();
  call.signal.removeEventListener('abort', stop);
  if (call.signal.aborted || !isHeard) return whyNot(call, await allOf(ends));
  return closed(id);
}

/** One server is listened to as it is; when there are others, whoever listens asks anew. */
async function listenToOne(call: WireCall, part: Part, link: JoinedLink): Promise<WireOutcome> {
  const ender = new AbortController();
  const unfollow = link.whenOthers(() => ender.abort(new CallEnded(OUTDATED)));
  try {
    const signal = either(call.signal, ender.signal);
    return await forward(part, startCall<WireCall>({ ...call, signal }));
  } finally {
    unfollow();
  }
}

/** All of them, also those that come while the others are waited for. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<readonly T[]> {
  for (;;) {
    const { length } = promises;
    const all = await Promise.all(promises);
    if (promises.length === length) return all;
  }
}

/** What an endpoint with tools alone can tell about. */
function ofTools(asked: unknown): Filter {
  const { toolsListChanged, taskIds } = isMembers(asked) ? asked : {};
  return {
    ...(toolsListChanged === undefined ? {} : { toolsListChanged }),
    ...(taskIds === undefined ? {} : { taskIds }),
  };
}

/** Listens to one server. */
class Listener {
  /** Settles when it is known whether the server tells anything: true when it does. */
  readonly heard: Promise<boolean>;
  /** Does nobody wait for the server any more? */
  readonly isSlow: boolean;
  readonly #part: Part;
  readonly #question: WireCall;
  readonly #subscription: Subscription;
  readonly #context: HolderContext;
  readonly #ender = new AbortController();
  #pauseMs = FIRST_PAUSE_MS;
  #failed: Failed<Wire> | undefined;
  #hear: (isHeard: boolean) => void = () => {};

  constructor(part: Part, question: WireCall, subscription: Subscription, context: HolderContext) {
    this.#part = part;
    this.isSlow = part.isSlow;
    this.#question = { ...question, signal: either(question.signal, this.#ender.signal) };
    this.#subscription = subscription;
    this.#context = context;
    this.heard = new Promise((resolve) => {
      this.#hear = resolve;
    });
  }

  /** The server is no longer one of those that are meant. */
  stop(): void {
    this.#ender.abort(new CallEnded(OUTDATED));
  }

  /** Until the caller leaves, or the server has nothing to tell. */
  async run(): Promise<WireOutcome> {
    const { signal } = this.#question;
    for (;;) {
      const { outcome, honoured } = await this.#listenOnce();
      if (!outcome.ok) this.#failed = outcome;
      if (honoured !== undefined && !signal.aborted) await this.record();
      this.#hear(false);
      const isRefused = outcome.ok || outcome.answered === true || isForbidden(outcome);
      const isWorthIt = honoured === undefined ? !isRefused : honoured > 0;
      if (isWorthIt) await pause(this.#pauseMs, signal);
      if (!isWorthIt || signal.aborted) return outcome;
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    }
  }

  /** Keeps the latest failure for the operator, once. A server without subscriptions is not broken. */
  async record(): Promise<void> {
    const outcome = this.#failed;
    this.#failed = undefined;
    if (outcome === undefined || hasNone(outcome)) return;
    await recordFailure(this.#question, { ok: false, part: this.#part, outcome }, this.#context.recording);
  }

  /** `honoured`: how much the server was ready to tell; `undefined` when it never said so. */
  async #listenOnce(): Promise<{ outcome: WireOutcome; honoured: number | undefined }> {
    let honoured: number | undefined;
    const back = new WatchedBack(this.#question.back, ({ data }) => {
      const filter = acknowledgedIn(data);
      if (filter === undefined) {
        this.#pauseMs = FIRST_PAUSE_MS; // it has more to tell than that it is there
        return this.#subscription.say(withTaskNames(data, this.#part.name, this.#part.tasks));
      }
      honoured = Object.keys(filter).length;
      this.#subscription.honour(asCallersKnow(filter, this.#part));
      this.#hear(true);
      return true;
    });
    const outcome = await this.#part.ask(startCall<WireCall>({ ...this.#question, back }));
    return { outcome, honoured };
  }
}

/** Whether any has acknowledged once all have been heard, or once those that have not take too long. */
async function someAreHeard(listeners: readonly Listener[], patienceMs: number): Promise<boolean> {
  const quick = listeners.filter(({ isSlow }) => !isSlow);
  const awaited = quick.length === 0 ? listeners : quick;
  const all = Promise.all(awaited.map(({ heard }) => heard)).then((each) => each.includes(true));
  const any = new Promise<boolean>((resolve) => {
    for (const { heard } of listeners) void heard.then((isHeard) => isHeard && resolve(true));
  });
  await within(all, patienceMs);
  return Promise.race([all, any]);
}

/** What this server is asked for: of tasks those that it runs, of resources those that are its own, as far as that is known. */
function filterFor(
  part: Part,
  asked: Filter,
  { known, parts }: JoinedLink,
  runnerOf: (task: string) => NamedTask | undefined,
): Filter | undefined {
  const { resourceSubscriptions: uris, taskIds: tasks, ...changes } = asked;
  const run = (Array.isArray(tasks) ? tasks : []).flatMap((task) => {
    const runner = typeof task === 'string' ? runnerOf(task) : undefined;
    return runner?.upstream === part.name ? [runner.own] : [];
  });
  const others = run.length === 0 ? changes : { ...changes, taskIds: run };
  const own = (Array.isArray(uris) ? uris : []).filter((uri) => {
    const owner = likelyOwner(String(uri), known, parts);
    return owner === undefined || owner === part.name;
  });
  const filter = own.length === 0 ? others : { ...others, resourceSubscriptions: own };
  return Object.keys(filter).length === 0 && Object.keys(asked).length > 0 ? undefined : filter;
}

/** What a server tells of, by the ids that callers have for its tasks. */
function asCallersKnow(filter: Filter, { name, tasks }: Part): Filter {
  const { taskIds } = filter;
  if (!Array.isArray(taskIds)) return filter;
  const named = taskIds.map((own) => (typeof own === 'string' ? tasks.nameOf(name, own) : own));
  return { ...filter, taskIds: named };
}

function questionOf(call: WireCall, id: Json, filter: Filter, signal: AbortSignal): WireCall {
  const params = { ...call.params(), notifications: filter };
  const body = encode({ jsonrpc: '2.0', id, method: call.method, params });
  return { ...call, body, peek: peek(body), params: () => params, signal };
}

function whyNot(call: WireCall, outcomes: readonly WireOutcome[]): WireOutcome {
  const told = mostTelling(outcomes.filter(({ ok }) => !ok).map((outcome) => ({ outcome })));
  const nobody = { kind: 'unavailable', origin: 'gateway', executed: 'no' } as const;
  return told?.outcome ?? lost(call, { ...nobody, message: 'Nobody was there to listen to' });
}

/** Nobody has anything to tell. */
function closed(id: Json): WireOutcome {
  const result = { resultType: 'complete', _meta: { [SUBSCRIPTION_KEY]: id } };
  const body = encode({ jsonrpc: '2.0', id, result });
  return answered({ body, status: 200, headers: { 'content-type': 'application/json' }, isStream: false });
}

/** Waits, but not for somebody who has left. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
