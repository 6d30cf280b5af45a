/** The gateway as a plain command: messages come as lines of standard input and are answered as lines of standard output. */
import type { Readable, Writable } from 'node:stream';
import { createLineSplitter } from '@mayday/relay';
import { MessageDoor } from '../messages/message-door.ts';
import type { MessageDoorOptions } from '../messages/message-door-options.ts';
import { ROOT_PATH } from '../messages/message-request.ts';
import { holdableInput } from './held-input.ts';
import { createMessageWriter } from './line-writer.ts';

/** Where lines come from and go to, and who answers them. */
export interface LineDoorOptions
  extends Pick<MessageDoorOptions, 'maxDepth' | 'lineOf' | 'mayRepeat' | 'admit' | 'turnAway' | 'onBug'> {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxLineBytes: number;
}

/** A door for one caller. */
export interface LineDoor {
  /** Everything that was asked is answered and nothing more can come, or nobody reads the answers. */
  readonly ended: Promise<void>;
  /** Ends the conversation with the server, when all is answered or so long after. */
  leave(graceMs: number): Promise<void>;
  /** Takes nothing more, and waits until what was said has been taken. */
  close(): Promise<void>;
}

/** Opens the door. */
export function openLineDoor({ input, output, maxLineBytes, ...options }: LineDoorOptions): LineDoor {
  let onGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    onGone = resolve;
  });
  const writer = createMessageWriter(output, () => {
    door.leave();
    onGone();
  });
  const door = new MessageDoor({
    ...options,
    path: ROOT_PATH,
    say: (message) => writer.write(message),
    unread: () => writer.unread,
    pause: () => held.hold(),
    resume: () => held.release(),
  });
  writer.onDrain(() => door.drained());
  let start: Buffer = Buffer.alloc(0);
  let size = 0;
  let isFirst = true;
  const lines = createLineSplitter(maxLineBytes, {
    onLine: (line) => {
      const said = isFirst ? unmarked(line) : line;
      isFirst = false;
      if (!isBlank(said)) door.receive(Buffer.from(said));
    },
    onTooLong: (bytes) => {
      start = bytes;
      size = 0;
    },
    onSkip: (bytes) => {
      size += bytes;
    },
    onSkipped: (end) => door.tooLong(start, end, size),
  });
  input.on('error', () => door.over());
  const held = holdableInput(input, {
    onData: (chunk) => lines.push(chunk),
    onEnd: () => {
      lines.push(Buffer.from('\n')); // a last line without its end is a line
      door.over();
    },
  });
  return {
    ended: Promise.race([door.ended, gone]),
    leave: (graceMs) => door.end(graceMs),
    async close() {
      door.close();
      input.pause();
      await writer.flushed();
    },
  };
}

const MARK = Buffer.from('\uFEFF');

/** Some shells begin what they pipe with a byte order mark. */
function unmarked(line: Buffer): Buffer {
  return line.subarray(0, MARK.length).equals(MARK) ? line.subarray(MARK.length) : line;
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09);
}
