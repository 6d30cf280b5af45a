/** What a server tells beside its answers names nothing that rules deny to whoever hears it. */
import { passing } from '@mayday/policy';
import {
  decode,
  encode,
  type Listening,
  locate,
  type Peek,
  peek,
  type Related,
  splice,
  textAt,
  toSign,
  WatchedBack,
  type WirePolicy,
} from '@mayday/relay';
import { exchangeTasks } from '../call/exchange-tasks.ts';
import type { ToolHints } from '../call/tool-hints.ts';
import { LOGGED, namesDeniedInLog } from './denied-in-logs.ts';
import { tasksOf } from './own-tasks.ts';
import type { Access } from './rules.ts';
import type { Use } from './uses.ts';

/** A message as it may reach whoever listens; `undefined` where it may not. */
export type TellWithin = (message: Buffer, listener: Listening) => Buffer | undefined;

/** What one upstream may tell, at whichever door. What it asks is passed on: it waits for the answer. */
export function tellingWithin(
  access: Access,
  upstream: string,
  { wasListed }: Pick<ToolHints, 'wasListed'>,
): TellWithin {
  const tasks = tasksOf(access, upstream);
  return (message, listener) => {
    const { rules } = access;
    if (rules === undefined || message.length === 0) return message;
    const seen = peek(message);
    if (seen.kind !== 'notification') return message;
    const may: MayHear = {
      ofTask: (task) => tasks.isTold(listener, task),
      of: (type, name) => rules.verdict(listener.by, upstream, { type, name }).isAllowed,
    };
    if (seen.method === LOGGED) {
      const reader = { rules, by: listener.by, upstream };
      return namesDeniedInLog(message, reader, wasListed) ? undefined : message;
    }
    if (seen.method === ACKNOWLEDGED) return acknowledging(message, seen, may);
    return namesDenied(message, seen, may) ? undefined : message;
  };
}

/** The same in the stream of a call, and of a subscription. */
export function tellWithin(
  access: Access,
  upstream: string,
  hints: Pick<ToolHints, 'wasListed'>,
): WirePolicy {
  const telling = tellingWithin(access, upstream, hints);
  return passing({
    before: (call) => {
      // Whoever listens does so for longer than rules last.
      if (access.rules === undefined && call.method !== 'subscriptions/listen') return call;
      const { back } = call;
      const related = (message: Related): boolean => {
        const data = telling(message.data, call);
        if (data === message.data) return back.related(message);
        if (data !== undefined) return back.related({ ...message, data, raw: undefined });
        // What is not told has its place in the stream all the same.
        return message.id === undefined || back.related(toSign(message.id));
      };
      return { ...call, back: new WatchedBack(back, related) };
    },
  });
}

/** May something be heard of? */
interface MayHear {
  readonly ofTask: (task: string) => boolean;
  readonly of: (type: Use['type'], name: string) => boolean;
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** Of what it names, its reader is told what it may hear of. */
function acknowledging(message: Buffer, { paramsStart }: Peek, may: MayHear): Buffer {
  const within = (bytes: Buffer, kind: string, isWanted: (name: string) => boolean): Buffer => {
    const range = locate(bytes, paramsStart, 'notifications', kind);
    const named = range && decode(bytes.subarray(range.start, range.end));
    if (range === undefined || !Array.isArray(named)) return bytes;
    const left = named.filter((name: unknown) => typeof name !== 'string' || isWanted(name));
    return left.length === named.length ? bytes : splice(bytes, [range], encode(left));
  };
  const ofResources = within(message, 'resourceSubscriptions', (uri) => may.of('resource', uri));
  return within(ofResources, 'taskIds', may.ofTask);
}

/** What it is about: a resource, a tool or a prompt, or a task, which it may also belong to. */
function namesDenied(message: Buffer, { method, deciding: { name, uri } }: Peek, may: MayHear): boolean {
  const type = method.startsWith('notifications/tools/')
    ? 'tool'
    : method.startsWith('notifications/prompts/')
      ? 'prompt'
      : undefined;
  const [named, resource] = [type && textAt(message, name), textAt(message, uri)];
  if (type !== undefined && named !== undefined && !may.of(type, named)) return true;
  if (resource !== undefined && !may.of('resource', resource)) return true;
  return tasksIn(message).some((task) => !may.ofTask(task));
}

function tasksIn(message: Buffer): readonly string[] {
  const found: string[] = [];
  exchangeTasks(message, (task) => {
    found.push(task);
    return task;
  });
  return found;
}
