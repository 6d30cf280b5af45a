/** Lines of a byte stream, in batches as they arrive. */

/** One line, without its end; `bytes` is `undefined` when it was too long to keep. */
export interface Line {
  readonly number: number;
  readonly bytes: Uint8Array | undefined;
}

const NEWLINE = 0x0a;

/** Yields the lines that each chunk completes, so that memory holds one chunk and one unfinished line. */
export async function* lineBatches(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<readonly Line[], void, undefined> {
  let number = 0;
  let pending: Uint8Array[] = [];
  let size = 0;
  const keep = (piece: Uint8Array): void => {
    size += piece.length;
    if (size <= maxBytes) pending.push(piece);
    else pending = [];
  };
  const finish = (): Line => {
    number += 1;
    const bytes = size > maxBytes ? undefined : pending.length === 1 ? pending[0] : Buffer.concat(pending);
    pending = [];
    size = 0;
    return { number, bytes };
  };
  for await (const chunk of input) {
    const batch: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      batch.push(finish());
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
    if (batch.length > 0) yield batch;
  }
  if (size > 0) yield [finish()];
}
