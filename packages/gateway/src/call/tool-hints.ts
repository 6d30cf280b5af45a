/** What an upstream says about its tools, as far as it decides whether a call may be repeated. */
import { credentialsIn } from '@mayday/core/http';
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { setLast } from '@mayday/policy';
import type { WireCall } from '@mayday/relay';
import { sha256 } from '../sha256.ts';

/** The tool's own word. */
interface ToolHint {
  readonly readOnly: boolean | undefined;
  readonly idempotent: boolean | undefined;
  /** What it changes cannot be undone: its word that a second call does no harm does not count. */
  readonly destructive: boolean | undefined;
  /** It honours idempotency keys itself. */
  readonly takesKeys: boolean;
  /** It promises a form of its results. */
  readonly hasOutput: boolean;
}

/** Who is told about tools. */
export type Listener = Pick<WireCall, 'headers'>;

/**
 * Annotations by tool. A list counts for whoever was given it: the session that asked, or the credentials where there is
 * no session. A server may list the same tool to others as something else.
 */
export interface ToolHints {
  of(listener: Listener, tool: string): ToolHint | undefined;
  /** What it said to them in a conversation that is over; nothing once anything was listed since, or was taken back. */
  lapsed(listener: Listener, tool: string): ToolHint | undefined;
  /** Was it ever listed, to whomever? */
  wasListed(tool: string): boolean;
  /**
   * Learns from the tools of a list that was asked for at `age`, or from a further page of it (`isMore`). Whatever is no
   * tool is passed over. Of a tool that is listed twice counts what both entries say: nobody knows which of them runs.
   */
  learn(listener: Listener, tools: unknown, age: number, isMore?: boolean): void;
  /** Learns what everybody is told. */
  learnForAll(tools: unknown): void;
  /** What was listed before counts no more. */
  forget(): void;
  /** A conversation is over, or its server: what was listed before is no word of whoever answers from now on. */
  lapse(): void;
  /** Changes whenever lists are forgotten. */
  readonly age: number;
}

/** As many as are listed of one server. The one that was not used for longest makes room. */
const MAX_TOOLS = 20_000;
/** Longer ones are told nowhere. */
const MAX_NAME = 128;
/** Of all lists together; the list that was not used for longest makes room. */
const MAX_IN_ALL = 100_000;

type Known = Map<string, ToolHint>;

/** Remembers annotations. */
export function createToolHints(): ToolHints {
  const common: Known = new Map();
  let lists = new Map<string, Known>();
  let before = new Map<string, Known>();
  const names = new Set<string>();
  let age = 0;
  return {
    get age() {
      return age;
    },
    of(listener, tool) {
      const known = lists.size === 0 ? undefined : latest(lists, listenerId(listener));
      return (known && lookUp(known, tool)) ?? lookUp(common, tool);
    },
    lapsed: (listener, tool) => {
      if (before.size === 0) return undefined;
      const id = listenerId(listener);
      return lists.has(id) ? undefined : before.get(id)?.get(tool);
    },
    wasListed: (tool) => names.has(tool),
    learn(listener, tools, askedAt, isMore = false) {
      if (askedAt !== age || !Array.isArray(tools)) return;
      const id = listenerId(listener);
      const known: Known = latest(lists, id) ?? new Map();
      lists.set(id, known);
      take(known, tools, isMore);
      note(names, tools);
      makeRoom(lists);
    },
    learnForAll(tools) {
      if (!Array.isArray(tools)) return;
      take(common, tools, false);
      note(names, tools);
    },
    forget() {
      age += 1;
      lists.clear();
      before.clear();
    },
    lapse() {
      if (lists.size === 0) return; // what has been found out of it since holds
      age += 1;
      before = lists;
      lists = new Map();
    },
  };
}

/** Tells apart to whom a server may have listed its tools differently. */
export function listenerId({ headers }: Listener): string {
  const session = headers['mcp-session-id'];
  const secrets = credentialsIn(Object.entries(headers));
  const who = secrets === undefined ? '' : sha256(secrets, 'base64');
  return `${typeof session === 'string' ? session : ''}\0${who}`;
}

/** The list, now the last to make room. */
function latest(lists: Map<string, Known>, id: string): Known | undefined {
  const known = lists.get(id);
  if (known !== undefined && lists.size > 1) {
    lists.delete(id);
    lists.set(id, known);
  }
  return known;
}

function lookUp(known: Known, tool: string): ToolHint | undefined {
  const hint = known.get(tool);
  if (hint !== undefined && known.size >= MAX_TOOLS / 2) {
    known.delete(tool); // the order only matters when it may soon be full
    known.set(tool, hint);
  }
  return hint;
}

function take(known: Known, tools: readonly unknown[], isMore: boolean): void {
  const listed = new Set<string>();
  for (const tool of tools) {
    const name = memberOf(tool, 'name');
    if (typeof name !== 'string') continue;
    const before = isMore || listed.has(name) ? known.get(name) : undefined;
    listed.add(name);
    const hint = hintIn(tool);
    setLast(known, name, before === undefined ? hint : carefulOf(before, hint), MAX_TOOLS);
  }
}

/** The first ones stay: whoever lists ever new names does not push out those that are called. */
function note(names: Set<string>, tools: readonly unknown[]): void {
  for (const tool of tools) {
    const name = memberOf(tool, 'name');
    if (typeof name === 'string' && name.length <= MAX_NAME && names.size < MAX_TOOLS) names.add(name);
  }
}

function hintIn(tool: unknown): ToolHint {
  const annotations = memberOf(tool, 'annotations');
  return {
    readOnly: flag(memberOf(annotations, 'readOnlyHint')),
    idempotent: flag(memberOf(annotations, 'idempotentHint')),
    destructive: flag(memberOf(annotations, 'destructiveHint')),
    takesKeys: memberOf(memberOf(tool, '_meta'), IDEMPOTENCY_KEY) === true,
    hasOutput: memberOf(tool, 'outputSchema') !== undefined,
  };
}

/** What holds whichever of the two it is. */
function carefulOf(one: ToolHint, other: ToolHint): ToolHint {
  return {
    readOnly: one.readOnly && other.readOnly,
    idempotent: one.idempotent && other.idempotent,
    destructive: one.destructive === true || other.destructive,
    takesKeys: one.takesKeys && other.takesKeys,
    hasOutput: one.hasOutput || other.hasOutput,
  };
}

function makeRoom(lists: Map<string, Known>): void {
  // An empty list takes its place too.
  let held = 0;
  for (const { size } of lists.values()) held += size + 1;
  for (const [id, { size }] of lists) {
    if (held <= MAX_IN_ALL) return;
    held -= size + 1;
    lists.delete(id);
  }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as { [key: string]: unknown })[key] : undefined;
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
