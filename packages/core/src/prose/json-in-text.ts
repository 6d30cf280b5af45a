/** Finds a JSON body inside a text: `API error 404: {"message": …}`. */

/** A JSON value and where it stands. */
export interface FoundJson {
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

/** A body beyond this size is not searched for; the phrases around it still are. */
const ROOM = 262_144;
const ATTEMPTS = 3;
const DEPTH = 256;

/** The first object or array in the text that parses. */
export function findJson(text: string): FoundJson | undefined {
  const room = text.length > ROOM ? text.slice(0, ROOM) : text;
  let attempts = 0;
  let brace = room.indexOf('{');
  let bracket = room.indexOf('[');
  while (attempts < ATTEMPTS && (brace >= 0 || bracket >= 0)) {
    const object = bracket < 0 || (brace >= 0 && brace < bracket);
    const at = object ? brace : bracket;
    if (object) brace = room.indexOf('{', at + 1);
    else bracket = room.indexOf('[', at + 1);
    if (!opens(room, at, room.charCodeAt(at))) continue;
    attempts++;
    const to = closing(room, at);
    if (to < 0) return undefined;
    try {
      const value: unknown = JSON.parse(room.slice(at, to));
      if (typeof value === 'object' && value !== null) return { value, from: at, to };
    } catch {
      // Not JSON after all; the next bracket may be.
    }
  }
  return undefined;
}

/** Only what can start a body is worth a parse: `{"`, `[{`, `["`. */
function opens(text: string, at: number, char: number): boolean {
  let next = at + 1;
  while (text.charCodeAt(next) <= 32) next++;
  const after = text.charCodeAt(next);
  return after === 34 || (char === 91 && after === 123);
}

/** The position after the bracket that closes the one at `start`, or -1. */
function closing(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (quoted) {
      if (char === 92) at++;
      else if (char === 34) quoted = false;
    } else if (char === 34) quoted = true;
    else if (char === 123 || char === 91) {
      if (++depth > DEPTH) return -1;
    } else if ((char === 125 || char === 93) && --depth === 0) return at + 1;
  }
  return -1;
}

/** A body that was written into a string loses its backslashes, once. */
export function unslash(text: string): string | undefined {
  if (text.length > ROOM || !/[{[]\s{0,4}\\"/.test(text)) return undefined;
  return text.replace(/\\([\\"nrt/])/g, (_, char: string) =>
    char === 'n' || char === 'r' || char === 't' ? ' ' : char,
  );
}
