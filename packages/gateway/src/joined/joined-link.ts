/** A conversation with many servers at once. */
import { decode, idOf, Lasting, type Link, locate, type Outgoing, peek, splice } from '@mayday/relay';
import { isSameList } from '../same-list.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { ClientTasks } from './client-tasks.ts';
import { Owners } from './owners.ts';
import type { Part } from './part.ts';
import { markOf, untag, untagged } from './tags.ts';
import { TaskNames, withOwnTasks } from './task-names.ts';
import { Templates } from './templates.ts';

/** What a conversation has learned about who has what. */
export interface Known {
  /** Who listed a resource. */
  readonly owners: Owners;
  /** Who listed a template for it. */
  readonly templates: Templates;
  /** Who listed a tool or a prompt, by the names of the joined endpoint. */
  readonly listed: { readonly tool: Owners; readonly prompt: Owners };
  /** Who runs a task, and under which id. */
  readonly tasks: TaskNames;
}

/** What a server shares with the others of a conversation. */
interface Joining {
  readonly lasting: Lasting | undefined;
  readonly tasks: TaskNames;
  readonly clientTasks: ClientTasks;
}

/** How a conversation takes servers in. */
export interface JoinedLinkOptions {
  /** Takes this server in. `lasting`: what it is told when it is opened, and what it is asked from then on. */
  readonly join: (upstream: Upstream, mark: string, joining: Joining) => Part;
  /** What is on the lists is other than it was. */
  readonly changed: () => void;
  /** Between the name of a server and what it lists. */
  readonly separator: string;
  /** Many callers without a session speak over it. */
  readonly isShared: boolean;
}

/** Many conversations as one. What is asked of it goes through `askJoined`; the rest is handed on here. */
export class JoinedLink implements Link {
  readonly #options: JoinedLinkOptions;
  #parts: ReadonlyMap<string, Part>;
  /** Servers that it no longer has, and that still answer what they were asked. */
  readonly #retiring: Set<Part> = new Set();
  /** What the client asked for once and for all, by server; also of those that are away. */
  readonly #lasting: Map<string, Lasting> = new Map();
  /** How often a server was taken in, by name. */
  readonly #joins: Map<string, number> = new Map();
  /** Those who are told when the servers, or what they list, are others. */
  readonly #followers: Set<() => void> = new Set();
  #known: Known = nothingKnown();
  readonly #clientTasks: ClientTasks = new ClientTasks();
  /** When it was begun, by `performance.now()`. */
  readonly since: number = performance.now();
  #opening: Outgoing | undefined;
  #separator: string;

  constructor(upstreams: ReadonlyMap<string, Upstream>, options: JoinedLinkOptions) {
    this.#options = options;
    this.#separator = options.separator;
    this.#parts = new Map([...upstreams].map(([name, upstream]) => [name, this.#join(upstream)]));
  }

  get parts(): ReadonlyMap<string, Part> {
    return this.#parts;
  }

  /** Whom to ask about a task: a server that was replaced still has what it began. */
  runnerOf(upstream: string, task: string): Part | undefined {
    const replaced = [...this.#retiring].find((part) => part.name === upstream && part.runs(task));
    return replaced ?? this.#parts.get(upstream);
  }

  get known(): Known {
    return this.#known;
  }

  get isBusy(): boolean {
    return [...this.parts.values(), ...this.#retiring].some((part) => part.isBusy);
  }

  /** The client has opened the conversation with this. */
  openedWith(opening: Outgoing): void {
    this.#opening = opening;
  }

  /**
   * These are the servers from now on. With those that are the same, the conversation goes on. `isListedAnew`: their lists
   * are others, whoever they are.
   */
  follow(upstreams: ReadonlyMap<string, Upstream>, separator: string, isListedAnew = false): void {
    const before = this.#parts;
    const isSame = separator === this.#separator && !isListedAnew;
    this.#separator = separator;
    const parts = new Map<string, Part>();
    for (const [name, upstream] of upstreams) {
      const old = before.get(name);
      parts.set(name, old?.follow(upstream) === true ? old : this.#joinLate(upstream));
    }
    this.#parts = parts;
    for (const [name, part] of before) if (parts.get(name) !== part) this.#retire(part);
    if (isSame && isSameList([...before.values()], [...parts.values()])) return;
    this.#known = { ...nothingKnown(), tasks: this.#known.tasks };
    this.#options.changed();
    for (const follow of [...this.#followers]) follow();
  }

  /** Calls `follow` whenever the servers, or what they list, are others; what it gives stops that. */
  whenOthers(follow: () => void): () => void {
    this.#followers.add(follow);
    return () => this.#followers.delete(follow);
  }

  #join(upstream: Upstream): Part {
    const { name } = upstream;
    const joins = (this.#joins.get(name) ?? 0) + 1;
    this.#joins.set(name, joins);
    const lasting = this.#options.isShared ? undefined : this.#lastingFor(name);
    const { tasks } = this.#known;
    return this.#options.join(upstream, markOf(name, joins), {
      lasting,
      tasks,
      clientTasks: this.#clientTasks,
    });
  }

  /** The level of the log is for all servers, also for those that come later. */
  #lastingFor(name: string): Lasting {
    const all = [...this.#lasting.values()];
    const lasting =
      this.#lasting.get(name) ?? new Lasting(all.find(({ level }) => level !== undefined)?.level);
    this.#lasting.set(name, lasting);
    return lasting;
  }

  #retire(part: Part): void {
    this.#retiring.add(part);
    void part.retire().finally(() => this.#retiring.delete(part));
  }

  #joinLate(upstream: Upstream): Part {
    const part = this.#join(upstream);
    if (this.#opening !== undefined) part.openLater(this.#opening);
    return part;
  }

  request(): never {
    throw new TypeError('Expected calls to be asked through `askJoined`');
  }

  send(message: Outgoing): void {
    if (this.#options.isShared) return; // what one of many says to nobody in particular must not concern the others
    if (message.peek.method === 'notifications/initialized') return; // each part was told when it was opened
    const meant = this.#meant(message);
    if (meant === 'all') for (const part of this.parts.values()) part.send(message);
    else if (meant !== undefined) {
      const part = [...this.parts.values(), ...this.#retiring].find(({ mark }) => mark === meant.mark);
      if (part === undefined) return;
      const body = withOwnTasks(meant.body, part.name, this.#known.tasks);
      part.send({ ...message, body, peek: peek(body) });
    }
  }

  /** Whom a message of the client is for, in their own words; nobody, where that cannot be told. */
  #meant({ body, peek: seen }: Outgoing): { mark: string; body: Buffer } | 'all' | undefined {
    const { kind, method, paramsStart } = seen;
    if (kind === 'response') {
      const answer = untag(body);
      if (answer === undefined) return undefined;
      const { mark, message } = answer;
      return { mark, body: this.#clientTasks.answered(mark, idOf(body, seen), message) };
    }
    if (method === 'notifications/progress') {
      const range = locate(body, paramsStart, 'progressToken');
      const token = range && untagged(decode(body.subarray(range.start, range.end)));
      return range && token && { mark: token.mark, body: splice(body, [range], token.original) };
    }
    if (!method.startsWith('notifications/tasks')) return 'all';
    const range = locate(body, paramsStart, 'taskId');
    const mark = range && this.#clientTasks.ownerOf(decode(body.subarray(range.start, range.end)));
    return mark === undefined ? undefined : { mark, body };
  }

  async close(): Promise<void> {
    await Promise.all([...this.parts.values(), ...this.#retiring].map((part) => part.close()));
  }
}

function nothingKnown(): Known {
  return {
    owners: new Owners(),
    templates: new Templates(),
    listed: { tool: new Owners(), prompt: new Owners() },
    tasks: new TaskNames(),
  };
}
