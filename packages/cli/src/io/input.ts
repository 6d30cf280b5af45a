/** The whole of standard input, as one value. */
import { UsageError } from '../usage-error.ts';
import type { Io } from './io.ts';

/** More than any message; beyond it, text no longer fits into one string of the engine. */
export const MAX_BYTES: number = 256 * 1024 * 1024;

/** Everything that comes in, as text. Bytes that are not UTF-8 become U+FFFD. */
export async function readText(io: Io, command: string): Promise<string> {
  if (io.inputIsTerminal) {
    throw new UsageError(
      `\`mayday ${command}\` reads standard input; pipe a message into it, or see \`mayday ${command} --help\``,
    );
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of io.input) {
    size += chunk.length;
    if (size > MAX_BYTES) {
      throw new UsageError('The input is larger than 256 MiB; send one message at a time with --jsonl');
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Everything that comes in, as the JSON value it is; anything that is not JSON is a plain string. */
export async function readValue(io: Io, command: string): Promise<unknown> {
  const text = await readText(io, command);
  if (text.trim() === '') io.note('Nothing came in on standard input; pipe a message into it.');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (command !== 'redact' && isOneALine(text)) io.note(ONE_A_LINE);
    return text; // prose is input too
  }
}

const ONE_A_LINE =
  'Several JSON values came in, one a line, and were read as one text; with --jsonl each of them is answered.';

/** Begins it with two lines, each of which is a JSON object or array? A log that speaks of one does not. */
function isOneALine(text: string): boolean {
  const [first, second] = firstLines(text);
  return first !== undefined && second !== undefined && isMessage(first) && isMessage(second);
}

function isMessage(line: string): boolean {
  if (!/^[{[]/.test(line)) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** The first two lines that are not blank. */
function firstLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length && lines.length < 2; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? text.length : end).trim();
    if (line !== '') lines.push(line);
    at = end < 0 ? text.length : end + 1;
  }
  return lines;
}
