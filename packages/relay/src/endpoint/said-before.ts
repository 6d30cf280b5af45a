/** Failures that a server says again and again, as it does in every outage: read once, they are known. */
import type { Members } from '../framing/json.ts';
import type { Peek } from '../framing/peek.ts';

/** Longer ones are seldom the same twice. */
const LONGEST = 2048;
/** How many are known, and of how many is known that they were said once. */
const MOST = 128;
const MOST_ONCE = 1024;

/** Remembers failing answers of one server by everything in them but the id. */
export class SaidBefore {
  readonly #once = new Set<string>();
  readonly #known = new Map<string, Members>();
  /** The one that was said last, as its bytes. */
  #last: Last | undefined;

  /** The failing answer in these bytes: the one that was found before, or what `find` makes of them. */
  failureIn(bytes: Buffer, look: () => Peek, find: () => Members | undefined): Members | undefined {
    if (bytes.length > LONGEST) return find();
    const seen = look();
    const { kind, idStart, idEnd } = seen;
    if (kind !== 'response') return find();
    if (this.#last !== undefined && isSame(this.#last, bytes, seen)) return this.#last.message;
    const text = `${bytes.toString('latin1', 0, idStart)}\n${bytes.toString('latin1', idEnd)}`;
    const known = this.#known.get(text);
    if (known !== undefined) {
      this.#last = { bytes: Buffer.from(bytes), idStart, idEnd, message: known };
      return known;
    }
    const found = find();
    if (found === undefined || !this.#isRepeated(text)) return found;
    // It stands for answers to other calls from now on.
    const { id: _id, ...message } = found;
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(text, message);
    return message;
  }

  /** What is said for the first time is not kept: most of what never repeats comes in great numbers. */
  #isRepeated(text: string): boolean {
    if (this.#once.delete(text)) return true;
    if (this.#once.size >= MOST_ONCE) this.#once.clear();
    this.#once.add(text);
    return false;
  }
}

interface Last extends Pick<Peek, 'idStart' | 'idEnd'> {
  readonly bytes: Buffer;
  readonly message: Members;
}

/** The same but for the id: no text is made of it to find that out. */
function isSame(last: Last, bytes: Buffer, { idStart, idEnd }: Peek): boolean {
  const behind = bytes.length - idEnd;
  if (idStart !== last.idStart || behind !== last.bytes.length - last.idEnd) return false;
  const moved = last.idEnd - idEnd;
  // Byte by byte: as short as they are, a call into Node costs more.
  for (let at = 0; at < idStart; at++) if (bytes[at] !== last.bytes[at]) return false;
  for (let at = idEnd; at < bytes.length; at++) if (bytes[at] !== last.bytes[at + moved]) return false;
  return true;
}
