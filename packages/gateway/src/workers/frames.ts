/** Values on their way between workers: each with its length before it, so that bytes come as bytes. */
import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

const LENGTH_BYTES = 4;

/** Sends a value of plain data and bytes. False: the reader is behind. */
export function writeFrame(socket: Socket, value: unknown): boolean {
  const body = serialize(value);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  socket.write(length);
  return socket.write(body);
}

/** Gives the values that come, in their order; `onPart` hears how much there is of one that is not complete. Workers run the same program: what one says is what another hears. */
export function readFrames<T>(
  socket: Socket,
  onFrame: (value: T) => void,
  onPart: (bytes: number) => void = () => {},
): void {
  let pieces: Buffer[] = [];
  let size = 0;
  let wanted = LENGTH_BYTES;
  let isLength = true;
  const take = (): Buffer => {
    const whole = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
    pieces = whole.length === wanted ? [] : [whole.subarray(wanted)];
    size -= wanted;
    return whole.subarray(0, wanted);
  };
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    while (size >= wanted) {
      const came = take();
      if (!isLength) {
        const said = valueIn<T>(came);
        if (said === undefined) return void socket.destroy();
        onFrame(said.value);
      }
      wanted = isLength ? came.readUInt32BE() : LENGTH_BYTES;
      isLength = !isLength;
    }
    if (!isLength) onPart(size);
  });
}

/** Nothing where somebody else than a worker has come here. */
function valueIn<T>(frame: Buffer): { readonly value: T } | undefined {
  try {
    return { value: deserialize(frame) as T };
  } catch {
    return undefined;
  }
}
