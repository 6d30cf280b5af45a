/** Tasks of processes and of sessions with servers: each is asked for where it runs, in whichever conversation its caller asks. */
import {
  type Hear,
  isMembers,
  type Link,
  type LinkEvents,
  LONGEST_MS,
  type Members,
  type Outgoing,
  overLink,
  peek,
  taskIn,
  untilIdle,
  type WireCall,
  type WireHandler,
  type WireOutcome,
} from '@mayday/relay';
import { listening, tasksListenedTo } from '../access/listen-within.ts';
import { keeping } from '../access/trim-lists.ts';
import { unknownTask } from '../access/whose-tasks.ts';
import { askForList } from '../call/ask-for-list.ts';
import { mendAnswer } from '../call/mend-answer.ts';
import { isForgotten } from '../call/own-session.ts';
import { hasProof, ownerOf } from '../call/owner.ts';
import { begunElsewhere, begunInAnother, endedMeanwhile, endedWithServer } from '../call/tasks-once.ts';
import type { Fellows } from '../workers/fellows.ts';
import { taskNamed, workerOf } from '../workers/task-tag.ts';
import { askFellow } from './ask-fellow.ts';
import { type Asking, askRunner, type Client } from './ask-waiting.ts';
import { type BegunTask, KeptLink } from './kept-link.ts';
import { Leftover, type LeftoverLimits } from './leftover.ts';
import { isLastPage, type ListedTasks, NO_TASKS, together, withTasks } from './listed-tasks.ts';
import { forgotten, hasEnded, TaskEnds } from './task-ends.ts';
import { type Asker, TasksByCaller } from './tasks-by-caller.ts';

/** How long other conversations have to list their tasks; for somebody at another worker, who waits for it too. */
const LIST_MS = 1500;
const LIST_FOR_FELLOW_MS = 1000;

/** Says something to the operator. */
type Note = (upstream: string, text: string) => void;

const UNLISTED = 'tasks of other sessions are missing from a list: a process has not listed them';
const CUT =
  'tasks of other sessions are missing from a list: one that a process gave did not come to its end';

/** What is kept: a process or a session, and how many of them. */
interface Kept extends LeftoverLimits {
  readonly of: KeptLink['of'];
}

/** The tasks that conversations with one upstream have begun. */
export class TaskRunners {
  readonly #upstream: string;
  /** Other workers, which have conversations with the same server; absent where this process is alone. */
  readonly #fellows: Fellows | undefined;
  /** What other workers are being answered just now. */
  askedByFellows = 0;
  readonly #begun: TasksByCaller = new TasksByCaller();
  readonly #ends: TaskEnds = new TaskEnds();
  readonly #left: Leftover = new Leftover();
  readonly #note: Note | undefined;
  /** Was the last list that somebody wanted without some of their tasks? That it is still so is not said again. */
  #lacks = false;

  constructor(upstream: string, fellows?: Fellows, note?: Note) {
    this.#upstream = upstream;
    this.#fellows = fellows;
    this.#note = note;
  }

  /** A conversation, which outlives its client while a task of it runs. */
  keep(events: LinkEvents, connect: (events: LinkEvents) => Link, { of, ...limits }: Kept): Link {
    return new KeptLink(events, connect, {
      begun: (call, task, link) => this.#begin(call, task, link),
      ended: (link) => this.#left.end(link, limits),
      of,
    });
  }

  /** Asks over this conversation; about tasks of other conversations over those. */
  over(link: Link, hear: Hear): WireHandler {
    const own = overLink(link, hear);
    if (!(link instanceof KeptLink)) return own;
    return (call) => {
      if (call.method === 'tasks/list') return this.#list(call, own, link, hear);
      if (call.method.startsWith('tasks/')) return this.#about(call, own, link, hear);
      if (call.method === 'subscriptions/listen') return this.#listen(call, own, link);
      return link.asking(call, own);
    };
  }

  /** Asks for a task in the conversation that runs it, for somebody who has none here; nothing where nobody knows of it. */
  async elsewhere(call: WireCall, hear: Hear): Promise<WireOutcome | undefined> {
    const found = this.#find(call);
    if (found === undefined) return this.#atFellow(call);
    if (!isAlive(found)) return this.#ends.answer(call, found, hear);
    return this.#ask(call, found, { task: idIn(call), runner: found.link, hear });
  }

  /** The same for somebody at another worker; `client`: who can be asked there. */
  async askedBy(call: WireCall, hear: Hear, client: Client | undefined): Promise<WireOutcome | undefined> {
    const found = this.#find(call);
    const id = idIn(call);
    if (found === undefined || found.revision !== call.revision)
      return found && begunInAnother(call, id, found.revision);
    this.askedByFellows += 1;
    try {
      const asking = { task: id, link: client, runner: found.link, hear };
      const outcome = isAlive(found) ? await this.#ask(call, found, asking) : undefined;
      if (outcome !== undefined && !isForgotten(outcome)) return outcome;
      return this.#ends.answer(call, found, hear) ?? ended(call, id, found);
    } finally {
      this.askedByFellows -= 1;
    }
  }

  /** What such a client has answered to a question of its caller's task. */
  answered(call: WireCall, answer: Buffer, client: Client): void {
    const found = this.#find(call);
    const { revision } = call;
    if (found !== undefined && isAlive(found))
      found.link.pass({ body: answer, peek: peek(answer), revision }, client);
  }

  /** What a caller has begun here, for its list at another worker. */
  listFor(call: WireCall, hear: Hear): Promise<ListedTasks> {
    return this.#listed(call, hear, { patienceMs: LIST_FOR_FELLOW_MS });
  }

  /** Does another conversation have the task that is asked for? Then this one need not be open. */
  isElsewhere(link: Link, call: WireCall): boolean {
    if (!(link instanceof KeptLink)) return false;
    const found = this.#find(call, link);
    if (found !== undefined) return found.link !== link && isAlive(found);
    const isOfOne = call.begunWith !== undefined && link.of === 'process';
    return isOfOne && this.#fellows?.runnerOf(idIn(call)) !== undefined;
  }

  /** Does it answer what another conversation has asked? Then this one need not be open either. */
  isForAnother(link: Link, message: Outgoing): boolean {
    return link instanceof KeptLink && link.awaits(message);
  }

  /** Ends what nobody has taken up; from now on nothing is kept. */
  close(): Promise<void> {
    return this.#left.close();
  }

  /**
   * Of several processes that give the same id, the first has it as it is: whoever comes back for it must not be given
   * another's. Which is the first of several workers' nobody knows: there, every id says whose it is.
   */
  #begin(call: WireCall, task: Members, link: KeptLink): string {
    const { session, revision } = call;
    const { run } = link;
    const owner = ownerOf(call);
    const own = String(task['taskId']);
    const isTaken = this.#begun.isTaken(owner, own, link);
    const worker = this.#fellows?.worker;
    const name = worker === undefined && !isTaken ? own : taskNamed(own, worker);
    const lasts = { told: { ...task, taskId: name }, until: lastingTo(task['ttl']), isTaken: false };
    this.#begun.add(name, { link, run, owner, session, revision, ...lasts });
    return name;
  }

  #find(call: WireCall, link?: KeptLink): BegunTask | undefined {
    const id = call.method.startsWith('tasks/') ? call.params()?.['taskId'] : undefined;
    return typeof id === 'string' ? this.#begun.find(askerOf(call), id, link) : undefined;
  }

  /** Only what this conversation runs, or what nobody is known to, can be heard of over it. */
  #listen(call: WireCall, own: WireHandler, link: KeptLink): ReturnType<WireHandler> {
    const asked = tasksListenedTo(call);
    if (asked === undefined || asked === 'unreadable') return own(call);
    const asker = askerOf(call);
    const here = asked.filter((id) => {
      const found = this.#begun.find(asker, id, link);
      if (found !== undefined) return found.link === link && isAlive(found);
      return !link.isRenamed(id) && !this.#begun.isOfAnother(asker, id, link);
    });
    return own(here.length === asked.length ? call : listening(call, { taskIds: here }, 'also nothing'));
  }

  async #ask(call: WireCall, found: BegunTask, asking: Asking): Promise<WireOutcome> {
    const told = await askRunner(call, asking);
    const outcome = asking.runner.of === 'process' && !isAlive(found) ? endedMeanwhile(told) : told;
    if (call.method === 'tasks/cancel' && outcome.ok) found.link.questions.end(asking.task);
    this.#ends.see(call, outcome, found);
    return see(outcome, found);
  }

  async #about(call: WireCall, own: WireHandler, link: KeptLink, hear: Hear): Promise<WireOutcome> {
    const found = this.#find(call, link);
    const id = idIn(call);
    const isAnother = link.isRenamed(id) || this.#begun.isOfAnother(askerOf(call), id, link);
    if (found === undefined) {
      const there = await this.#atFellow(call, link);
      if (there !== undefined) return there;
      if (this.#isOfEnded(call)) return this.#endedWithWorker(call, own, link);
      if (!isAnother) return own(call);
      return call.begunWith === undefined ? unknownTask(call, id) : begunElsewhere(call, id);
    }
    const isOwn = found.link === link;
    if (!isOwn && found.revision !== call.revision) return begunInAnother(call, id, found.revision);
    if (isAlive(found)) {
      const outcome = await this.#ask(call, found, { task: id, link, runner: found.link, own, hear });
      // Whoever has forgotten the conversation of the caller is opened again by whoever has opened it.
      if (isOwn || !isForgotten(outcome)) return outcome;
    }
    const known = this.#ends.answer(call, found, hear);
    if (known !== undefined) return known;
    // A server may keep its tasks where the next conversation finds them; under the id of another task it is not asked.
    const outcome = isAnother ? undefined : await own(call);
    return outcome !== undefined && isTold(outcome, found.link) ? outcome : ended(call, id, found);
  }

  /** Asks the worker that has named the task; nothing where that is none, or it does not know of it. */
  async #atFellow(call: WireCall, link?: KeptLink): Promise<WireOutcome | undefined> {
    const fellows = this.#fellows;
    const worker = fellows?.runnerOf(idIn(call));
    if (fellows === undefined || worker === undefined) return undefined;
    return askFellow(call, { fellows, worker, upstream: this.#upstream, link });
  }

  /** What its caller has begun with a worker, and nobody has heard of, has ended with that worker. */
  #isOfEnded(call: WireCall): boolean {
    return call.begunWith !== undefined && this.#fellows !== undefined && workerOf(idIn(call)) !== undefined;
  }

  /** Unless a server at a URL names its tasks as workers do. */
  async #endedWithWorker(call: WireCall, own: WireHandler, link: KeptLink): Promise<WireOutcome> {
    const outcome = link.of === 'session' ? await own(call) : undefined;
    return outcome !== undefined && isTold(outcome, link)
      ? outcome
      : endedWithServer(call, idIn(call), link.of);
  }

  /** The tasks of other conversations, and of other workers, stand behind the last that this one lists. */
  async #list(call: WireCall, own: WireHandler, link: KeptLink, hear: Hear): Promise<WireOutcome> {
    const asker = askerOf(call);
    const outcome = without(await own(call), (task) => this.#begun.isOfAnother(asker, task, link));
    if (!outcome.ok || outcome.value.type !== 'answer' || !isLastPage(outcome.value)) return outcome;
    const [here, there] = await Promise.all([
      this.#listed(call, hear, { link, patienceMs: LIST_MS }),
      this.#fellows?.list(call, this.#upstream),
    ]);
    const more = together([here, there?.listed ?? NO_TASKS]);
    const { upstream, workers } = { upstream: this.#upstream, workers: there?.missing ?? [] };
    this.#tell(more);
    const value = mendAnswer(outcome.value, (message) => withTasks(message, more, { upstream, workers }));
    return { ...outcome, value };
  }

  #tell({ isMissing, isCut }: ListedTasks): void {
    const lacks = isMissing || isCut;
    if (lacks && !this.#lacks) this.#note?.(this.#upstream, isMissing ? UNLISTED : CUT);
    this.#lacks = lacks;
  }

  /** What a caller has begun in other conversations than this. */
  async #listed(
    call: WireCall,
    hear: Hear,
    { link, patienceMs }: { readonly link?: KeptLink; readonly patienceMs: number },
  ): Promise<ListedTasks> {
    const asker = askerOf(call);
    const begun = this.#begun.of(asker, call.session, link);
    const links = new Set(begun.filter(isAlive).map((task) => task.link));
    const others = [...links].filter((each) => each !== link);
    const ended = begun.filter((task) => !isAlive(task) && hasEnded(task) && task.until > Date.now());
    const ask = async (other: KeptLink): Promise<ListedTasks> => {
      const { items, failed, isCut } = await askForList(overLink(other, hear), call, 'tasks', patienceMs);
      const tasks = items.filter(({ taskId }) => this.#begun.has(asker, taskId, other));
      return { tasks, isMissing: failed !== undefined, isCut };
    };
    const lists = await Promise.all(others.map(ask));
    return together([...lists, { ...NO_TASKS, tasks: ended.map(({ told }) => told) }]);
  }
}

/** Was it said by the server itself, or kept from being asked? */
function isTold(outcome: WireOutcome, { of }: KeptLink): boolean {
  return outcome.ok || (of === 'session' && outcome.answered !== true);
}

/** What is said of a task whose process or session is gone. */
function ended(call: WireCall, id: string, found: BegunTask): WireOutcome {
  return hasEnded(found) ? forgotten(call, found) : endedWithServer(call, id, found.link.of);
}

function askerOf(call: WireCall): Asker {
  return { owner: ownerOf(call), session: hasProof(call) ? call.session : undefined };
}

function idIn(call: WireCall): string {
  return String(call.params()?.['taskId']);
}

/** A list without some of its tasks. */
function without(outcome: WireOutcome, isLeftOut: (task: unknown) => boolean): WireOutcome {
  if (!outcome.ok || outcome.value.type !== 'answer') return outcome;
  const isKept = (task: unknown): boolean => !isMembers(task) || !isLeftOut(task['taskId']);
  return { ...outcome, value: mendAnswer(outcome.value, (message) => keeping(message, 'tasks', isKept)) };
}

function isAlive({ link, run }: BegunTask): boolean {
  return run !== undefined && link.run === run;
}

function lastingTo(ttl: unknown): number {
  return Date.now() + (typeof ttl === 'number' ? Math.min(Math.max(0, ttl), LONGEST_MS) : LONGEST_MS);
}

/** Takes note of what is said about a task. */
function see(outcome: WireOutcome, task: BegunTask): WireOutcome {
  const said = taskIn(outcome);
  const isAnswered = outcome.ok || outcome.answered === true;
  if (said === undefined)
    task.isTaken ||= isAnswered; // its result, or that there is no such task
  else if (said['status'] === 'cancelled' || 'result' in said || 'error' in said) task.isTaken = true;
  else if (!ENDED.has(said['status'])) task.until = lastingTo(said['ttl']);
  return outcome;
}

const ENDED: ReadonlySet<unknown> = new Set(['completed', 'failed']);

/** The tasks of all upstreams, by name: they outlive the settings. */
export interface AllTaskRunners {
  of(upstream: string): TaskRunners;
  /** What other workers ask for here; closed when that is answered, or after a while. */
  readonly forFellows: { close(graceMs: number): Promise<void> };
  /** Ends the processes that nobody has taken up; from now on none is kept. */
  close(): Promise<unknown>;
}

/** Nobody has begun any yet. */
export function createTaskRunners(fellows?: Fellows, note?: Note): AllTaskRunners {
  const known = new Map<string, TaskRunners>();
  const isIdle = (): boolean => [...known.values()].every(({ askedByFellows }) => askedByFellows === 0);
  return {
    of(upstream) {
      const runners = known.get(upstream) ?? new TaskRunners(upstream, fellows, note);
      known.set(upstream, runners);
      return runners;
    },
    forFellows: {
      async close(graceMs) {
        if (!isIdle()) await untilIdle(isIdle, graceMs);
      },
    },
    close: () => Promise.all([...known.values()].map((runners) => runners.close())),
  };
}
