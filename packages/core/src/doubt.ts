/**
 * Writing never lies about what happened. Many documents define codes as refusals before the work, and have no word for
 * "it may have happened": whoever knows the dialect would read such an answer as `executed: no`, and repeat a change.
 */
import type { Dialect, HttpWire, JsonRpcWire, ReadContext } from './dialects/dialect.ts';
import { declaresDoubt } from './executed.ts';
import type { Fault, Json, JsonObject } from './fault.ts';
import { isRecord } from './json.ts';
import { type Executed, invites } from './kinds.ts';
import { ERROR_KEY } from './protocol.ts';
import type { Reading, ReadOptions } from './reader.ts';
import { look } from './wire/look.ts';

/** How an answer is understood by whoever knows its dialect. */
export interface Understood {
  readonly dialect: Pick<Dialect, 'id' | 'closed' | 'codes' | 'read'>;
  readonly read: (value: unknown, options: ReadOptions) => Reading;
}

/**
 * The answer; with a word of ours beside it where it would be taken for a refusal, and is none. A closed document has no
 * place for one: what it says so is never worth another try.
 */
export function withDoubt<W extends JsonRpcWire | HttpWire>(
  wire: W,
  { executed }: Fault,
  { dialect, read }: Understood,
): W {
  if (executed === 'no' || dialect.closed === true) return wire;
  return isRefusal(wire, dialect, read) || isLimit(wire, dialect) ? (declared(wire, executed) as W) : wire;
}

/** Would it be taken for one? To read it all takes long, and most dialects' documents say what became of the work. */
function isRefusal(
  wire: JsonRpcWire | HttpWire,
  { id }: Understood['dialect'],
  read: Understood['read'],
): boolean {
  if (declaresDoubt(look(wire))) return false;
  const heard = read(wire, { from: id });
  return heard.failure && heard.fault.executed === 'no';
}

/** Is its code that of a limit? Readers who do not weigh what stands beside it would wait, and ask again. */
function isLimit(wire: JsonRpcWire | HttpWire, dialect: Understood['dialect']): boolean {
  if (!dialect.codes.some((row) => row.refusal === true && invites(row))) return false;
  try {
    const heard = dialect.read(look(wire), ALONE);
    return heard?.refusal === true && invites({ kind: heard.kind });
  } catch {
    return false; // a dialect of somebody's own that cannot read what it writes
  }
}

const ALONE: ReadContext = { now: Date.now, prose: () => undefined };

/** The answer with our word beside it that it may have happened, or has. */
export function declared(wire: JsonRpcWire | HttpWire, executed: Executed): JsonRpcWire | HttpWire {
  if ('http' in wire) return { http: { ...wire.http, body: beside(wire.http.body, executed) } };
  if (wire.error !== undefined)
    return { ...wire, error: { ...wire.error, data: beside(wire.error.data, executed) } };
  return { ...wire, result: { ...wire.result, _meta: beside(wire.result?.['_meta'], executed) } };
}

/**
 * A text in the place of an object stands under the name that the documents have for it: who was told to repeat a change is
 * worse off than who finds an object.
 */
function beside(members: Json | undefined, executed: Executed): JsonObject {
  const known = members === undefined ? {} : membersOf(members);
  return { ...known, [ERROR_KEY]: { ...membersOf(known[ERROR_KEY] ?? {}), happened: executed } };
}

function membersOf(value: Json): JsonObject {
  return isRecord(value) ? (value as JsonObject) : { details: value };
}
