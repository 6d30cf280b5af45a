/** Where messages name tasks, and the same messages with other ids there. */
import { RELATED_TASK_KEY } from '@mayday/core/protocol';
import {
  decode,
  encode,
  locate,
  namesTask,
  type Peek,
  peek,
  type Range,
  splice,
  textAt,
} from '@mayday/relay';

type Places = (message: Buffer, seen: Peek) => readonly Range[];

/** A message of a server, with other ids for the tasks that it names. */
export function exchangeTasks(message: Buffer, exchange: (id: string) => string): Buffer {
  return exchangedIn(message, placesOfServer, exchange);
}

/** Any message, with another id for the task that it belongs to. */
export function exchangeRelatedTask(message: Buffer, exchange: (id: string) => string): Buffer {
  return exchangedIn(message, placeOfRelated, exchange);
}

const LISTENED: Buffer = Buffer.from('"taskIds"');

/** A subscription, or what is said of it, with other ids for the tasks that it tells of. */
export function exchangeListened(message: Buffer, exchange: (id: string) => string): Buffer {
  if (!message.includes(LISTENED)) return message;
  const seen = peek(message);
  if (!ABOUT_LISTENING.has(seen.method)) return message;
  const range = locate(message, seen.paramsStart, 'notifications', 'taskIds');
  const ids = range && decode(message.subarray(range.start, range.end));
  if (range === undefined || !Array.isArray(ids)) return message;
  const others = ids.map((id: unknown) => (typeof id === 'string' ? exchange(id) : id));
  return splice(message, [range], encode(others));
}

const ABOUT_LISTENING: ReadonlySet<string> = new Set([
  'subscriptions/listen',
  'notifications/subscriptions/acknowledged',
]);

function exchangedIn(message: Buffer, placesIn: Places, exchange: (id: string) => string): Buffer {
  if (!namesTask(message)) return message;
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
  const found = placesAt(message, seen, '_meta', RELATED_TASK_KEY, 'taskId');
  if (found.length > 0 || seen.kind !== 'response') return found;
  const failing = locate(message, message.indexOf('{'), 'error', 'data', '_meta', RELATED_TASK_KEY, 'taskId');
  return failing === undefined ? [] : [failing];
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
