/**
 * Tasks of many servers at one endpoint. An id is known to the server that gave it, and others may give the same: whoever
 * names it first has it as it is, and the others have theirs with their own name in front.
 */
import { RELATED_TASK_KEY } from '@mayday/core/protocol';
import {
  type Answer,
  encode,
  locate,
  type Peek,
  peek,
  type Range,
  splice,
  textAt,
  type WireOutcome,
} from '@mayday/relay';
import { mendAnswer } from '../call/mend-answer.ts';
import { Owners } from './owners.ts';

/** A task, by the id that its own server has for it. */
export interface NamedTask {
  readonly upstream: string;
  readonly own: string;
}

/** The ids of all tasks of a conversation with many. */
export class TaskNames {
  readonly #owners: Owners = new Owners();
  /** What the server calls it, where callers know it by another id. */
  readonly #own: Owners = new Owners();

  /** The id by which callers know a task of this server. */
  nameOf(upstream: string, own: string): string {
    let name = own;
    while (!this.#isFree(name, upstream, own)) name = `${upstream}:${name}`;
    this.#owners.set(name, upstream);
    if (name !== own) this.#own.set(name, own);
    return name;
  }

  /** Whose task callers know by this id. */
  find(name: string): NamedTask | undefined {
    const upstream = this.#owners.of(name);
    return upstream === undefined ? undefined : { upstream, own: this.#own.of(name) ?? name };
  }

  #isFree(name: string, upstream: string, own: string): boolean {
    const found = this.find(name);
    return found === undefined || (found.upstream === upstream && found.own === own);
  }
}

const TASK: Buffer = Buffer.from('"taskId"');

/** A message of a server, which names its tasks as callers know them. */
export function withTaskNames(message: Buffer, upstream: string, tasks: TaskNames): Buffer {
  return exchangedIn(message, placesOfServer, (own) => tasks.nameOf(upstream, own));
}

/** A message for a server, which names the task that it belongs to as the server knows it; those of others stay as they are. */
export function withOwnTasks(message: Buffer, upstream: string, tasks: TaskNames): Buffer {
  return exchangedIn(message, placeOfRelated, (name) => {
    const found = tasks.find(name);
    return found?.upstream === upstream ? found.own : name;
  });
}

/** What became of a call, in the same way; also where it failed. */
export function outcomeWithTaskNames(outcome: WireOutcome, upstream: string, tasks: TaskNames): WireOutcome {
  const named = (message: Buffer): Buffer => withTaskNames(message, upstream, tasks);
  const { value } = outcome;
  if (outcome.ok) {
    const isIt = outcome.value.type === 'answer' && outcome.value.body.includes(TASK);
    return isIt ? { ...outcome, value: mendAnswer(outcome.value as Answer, named) } : outcome;
  }
  if (value?.type !== 'message' || !value.bytes.includes(TASK)) return outcome;
  const bytes = named(value.bytes);
  if (bytes === value.bytes) return outcome;
  return { ...outcome, value: { ...value, bytes, message: JSON.parse(bytes.toString('utf8')) as unknown } };
}

type Places = (message: Buffer, seen: Peek) => readonly Range[];

function exchangedIn(message: Buffer, placesIn: Places, exchange: (id: string) => string): Buffer {
  if (!message.includes(TASK)) return message;
  // From the back, so that what is in front stays where it is.
  const places = [...placesIn(message, peek(message))].sort((a, b) => b.start - a.start);
  return places.reduce((bytes, range) => {
    const id = textAt(bytes, range);
    const other = id === undefined ? undefined : exchange(id);
    return other === undefined || other === id ? bytes : splice(bytes, [range], encode(other));
  }, message);
}

/** Where a server names a task: as what its message is about, as one that was started, or as what it belongs to. */
function placesOfServer(message: Buffer, seen: Peek): readonly Range[] {
  const { kind, method } = seen;
  const isAbout = kind === 'response' || method.startsWith('notifications/tasks');
  const about = isAbout
    ? [...placesAt(message, seen, 'taskId'), ...placesAt(message, seen, 'task', 'taskId')]
    : [];
  return [...about, ...placeOfRelated(message, seen)];
}

function placeOfRelated(message: Buffer, seen: Peek): readonly Range[] {
  return placesAt(message, seen, '_meta', RELATED_TASK_KEY, 'taskId');
}

function placesAt(
  message: Buffer,
  { kind, paramsStart }: Peek,
  ...path: readonly string[]
): readonly Range[] {
  const inside = kind === 'response' ? locate(message, message.indexOf('{'), 'result')?.start : paramsStart;
  const found = inside === undefined || inside < 0 ? undefined : locate(message, inside, ...path);
  return found === undefined ? [] : [found];
}
