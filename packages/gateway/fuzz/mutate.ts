/** Bytes that were a message once. */
import type { Random } from './random.ts';

const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\',
  '\0',
  '\r\n',
  '\ufeff',
  'null',
  '"id":',
  '"error":',
  '"result":',
  'NaN',
  '\\u',
  '\u2028',
].map((token) => Buffer.from(token));

/** The same bytes with one to four things wrong. */
export function mutated(random: Random, bytes: Buffer): Buffer {
  let result = bytes;
  for (let times = 1 + random.int(4); times > 0; times -= 1) result = once(random, result);
  return result;
}

function once(random: Random, bytes: Buffer): Buffer {
  if (bytes.length === 0) return random.pick(TOKENS);
  const at = random.int(bytes.length);
  const to = Math.min(bytes.length, at + 1 + random.int(random.chance(0.8) ? 8 : 400));
  const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)];
  switch (random.int(7)) {
    case 0: {
      const copy = Buffer.from(bytes);
      copy[at] = random.int(256);
      return copy;
    }
    case 1:
      return Buffer.concat([head, tail]);
    case 2:
      return Buffer.concat([head, middle, middle, tail]);
    case 3:
      return Buffer.concat([head, random.pick(TOKENS), middle, tail]);
    case 4:
      return head;
    case 5:
      return Buffer.concat([head, Buffer.from([random.int(256), random.int(256)]), tail]);
    default:
      return Buffer.concat([tail, middle, head]);
  }
}
