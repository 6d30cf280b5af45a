/** Server-sent events out of the pieces that a stream arrives in. */

/** One event. */
interface ServerEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** Takes text as it comes; gives the events that are complete with it. */
export type EventReader = (text: string) => readonly ServerEvent[];

/** Nobody sends so much in one event; whoever does is cut off. */
const MAX_WAITING = 4 * 1024 * 1024;

/** Reads lines that end in LF, CR or both, wherever they are cut. */
export function createEventReader(): EventReader {
  let waiting = '';
  let id: string | undefined;
  let data: string[] = [];
  const lineOf = (line: string): ServerEvent | undefined => {
    if (line === '') {
      const event = data.length === 0 ? undefined : { id, data: data.join('\n') };
      data = [];
      return event;
    }
    const at = line.indexOf(':');
    const name = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '');
    if (name === 'data') data.push(value);
    else if (name === 'id' && !value.includes('\0')) id = value;
    return undefined;
  };
  return (text) => {
    waiting += text;
    // A CR at the end may be half of a line break.
    const isCut = waiting.endsWith('\r');
    const lines = (isCut ? waiting.slice(0, -1) : waiting).split(/\r\n|\n|\r/);
    waiting = (lines.pop() ?? '') + (isCut ? '\r' : '');
    if (waiting.length > MAX_WAITING) throw new Error('An event of the stream is too long');
    return lines.map(lineOf).filter((event) => event !== undefined);
  };
}
