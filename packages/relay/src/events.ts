/** Framing for server-sent events: whole events as the bytes that came, and the message inside one. */

const LF = 0x0a;
const CR = 0x0d;
const PREFIX = Buffer.from('event: message\ndata: ');
const ID = Buffer.from('id: ');
const END = Buffer.from('\n\n');
const NEWLINE = Buffer.from('\n');
const EMPTY: Buffer = Buffer.alloc(0);

/** Takes chunks, gives runs of whole events. */
export interface EventSplitter {
  /** The whole events that are complete now, as one run of bytes; `undefined` when there are none yet. */
  push(chunk: Buffer): Buffer | undefined;
  /** Bytes that are waiting for their event to end. */
  readonly held: number;
}

/** Collects chunks until events are complete. */
export function createEventSplitter(): EventSplitter {
  let carry: Buffer[] = [];
  let held = 0;
  let tail: Buffer = EMPTY;
  return {
    get held(): number {
      return held;
    },
    push(chunk: Buffer): Buffer | undefined {
      const end = Math.max(lastEventEnd(chunk), endAcross(tail, chunk));
      if (end === 0) {
        carry.push(chunk);
        held += chunk.length;
        tail = Buffer.concat([tail, chunk.subarray(-3)]).subarray(-3);
        return undefined;
      }
      const complete = chunk.subarray(0, end);
      const whole = held === 0 ? complete : Buffer.concat([...carry, complete], held + end);
      const rest = chunk.subarray(end);
      carry = rest.length === 0 ? [] : [rest];
      held = rest.length;
      tail = rest.subarray(-3);
      return whole;
    },
  };
}

/** The blank line that ends an event may be cut in two by the chunks: where it ends in the second one, or 0. */
function endAcross(tail: Buffer, chunk: Buffer): number {
  if (tail.length === 0) return 0;
  return Math.max(0, lastEventEnd(Buffer.concat([tail, chunk.subarray(0, 2)])) - tail.length);
}

/** The position after the last blank line; 0 when there is none. */
function lastEventEnd(bytes: Buffer): number {
  for (let at = bytes.lastIndexOf(LF); at > 0; at = bytes.lastIndexOf(LF, at - 1)) {
    if (bytes[at - 1] === LF) return at + 1;
    if (bytes[at - 1] === CR && bytes[at - 2] === LF) return at + 1;
  }
  return 0;
}

/** One event: its bytes, its data, its id. */
export interface StreamEvent {
  readonly raw: Buffer;
  readonly data: Buffer;
  readonly id: string | undefined;
}

/** Takes a run of whole events apart. */
export function splitEvents(run: Buffer): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  let start = 0;
  while (start < run.length) {
    let at = start;
    let end = run.length;
    while (at < run.length) {
      const newline = run.indexOf(LF, at);
      if (newline < 0) break;
      const length = run[newline - 1] === CR ? newline - 1 - at : newline - at;
      at = newline + 1;
      if (length <= 0) {
        end = at;
        break;
      }
    }
    const raw = run.subarray(start, end);
    events.push(takeApart(raw));
    start = end;
  }
  return events;
}

function takeApart(raw: Buffer): StreamEvent {
  const data: Buffer[] = [];
  let id: string | undefined;
  for (let at = 0; at < raw.length; ) {
    const newline = raw.indexOf(LF, at);
    const stop = newline < 0 ? raw.length : newline;
    const end = raw[stop - 1] === CR ? stop - 1 : stop;
    if (startsWith(raw, at, 'data:')) data.push(textAt(raw, at + 5, end));
    else if (startsWith(raw, at, 'id:')) id = textAt(raw, at + 3, end).toString('utf8');
    at = stop + 1;
  }
  if (data.length <= 1) return { raw, data: data[0] ?? Buffer.alloc(0), id };
  return { raw, data: Buffer.concat(data.flatMap((part, i) => (i === 0 ? [part] : [NEWLINE, part]))), id };
}

function startsWith(bytes: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

function textAt(bytes: Buffer, start: number, end: number): Buffer {
  return bytes.subarray(bytes[start] === 0x20 ? start + 1 : start, Math.max(start, end));
}

/** A message as an event. Line breaks inside the message would end the event, so they are taken out. */
export function toEvent(message: Buffer, id?: string): Buffer {
  const line = message.includes(LF) || message.includes(CR) ? oneLine(message) : message;
  if (id === undefined) return Buffer.concat([PREFIX, line, END]);
  return Buffer.concat([ID, Buffer.from(id), NEWLINE, PREFIX, line, END]);
}

/** JSON on one line: breaks in JSON only ever stand between tokens. */
export function oneLine(message: Buffer): Buffer {
  if (!message.includes(LF) && !message.includes(CR)) return message;
  const out = Buffer.allocUnsafe(message.length);
  let length = 0;
  for (const byte of message) if (byte !== LF && byte !== CR) out[length++] = byte;
  return out.subarray(0, length);
}
