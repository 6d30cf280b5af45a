/** Our own text for the model, read back: it ends with advice that names the kind. */
import { KIND_NAMES, KINDS, type Kind } from '../kinds.ts';

const WAIT = / Wait at least (\d{1,12}) (ms|s)\.$/;
const KIND_OF_ADVICE: ReadonlyMap<string, Kind> = new Map(
  KIND_NAMES.map((kind) => [KINDS[kind].advice, kind]),
);
const LONGEST = Math.max(...KIND_NAMES.map((kind) => KINDS[kind].advice.length));

/** The kind and the wait that our own text names, so that even bare text keeps them. */
export function readModelText(
  text: string,
): { readonly kind: Kind; readonly message: string; readonly afterMs?: number } | undefined {
  // Our text ends with a full stop; most others do not, and are done here.
  if (!text.endsWith('.')) return undefined;
  const tail = text.slice(-LONGEST - 40);
  const wait = WAIT.exec(tail);
  const end = text.length - (wait?.[0].length ?? 0);
  const start = text.lastIndexOf('. ', end - 2);
  for (
    let at = start;
    at >= 0 && end - at < LONGEST + 3;
    at = at === 0 ? -1 : text.lastIndexOf('. ', at - 1)
  ) {
    const kind = KIND_OF_ADVICE.get(text.slice(at + 2, end));
    if (kind === undefined) continue;
    const message = text.slice(0, at);
    if (wait === null) return { kind, message };
    return { kind, message, afterMs: Number(wait[1]) * (wait[2] === 's' ? 1000 : 1) };
  }
  return undefined;
}
