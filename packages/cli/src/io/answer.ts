/** One value in, one answer out: the same for a single message and for a line of many. */
import { EXIT, type ExitCode } from '../exit-code.ts';
import { MAX_BYTES, readValue } from './input.ts';
import type { Io } from './io.ts';
import { toJsonText } from './json-text.ts';
import { type Line, lineBatches } from './lines.ts';

/** How a command answers. */
export interface AnswerOptions {
  readonly command: string;
  readonly jsonl: boolean;
  readonly compact: boolean;
  answer(value: unknown): unknown;
}

/** Answers standard input: once, or line by line with `--jsonl`. */
export async function answerInput(io: Io, options: AnswerOptions): Promise<ExitCode> {
  if (options.jsonl) return answerLines(io, options);
  const value = await readValue(io, options.command);
  await io.write(`${toJsonText(options.answer(value), options.compact ? undefined : 2)}\n`);
  return EXIT.done;
}

async function answerLines(io: Io, options: AnswerOptions): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  for await (const batch of lineBatches(io.input, MAX_BYTES)) {
    let text = '';
    for (const line of batch) {
      const parsed = parseLine(line);
      if (parsed.ok) {
        try {
          text += `${toJsonText(options.answer(parsed.value))}\n`;
          continue;
        } catch {
          // A bug of ours must not cost the other lines their answers; the exit status tells.
          code = EXIT.bug;
        }
      }
      text += `${toJsonText(parsed.ok ? failed(line) : parsed.problem)}\n`;
    }
    await io.write(text);
  }
  return code;
}

/** What a line answers that cannot be: what happened, and what to do. Never what the line held. */
interface LineProblem {
  readonly error: {
    readonly kind: string;
    readonly line: number;
    readonly message: string;
    readonly advice: string;
  };
}

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: LineProblem };

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseLine({ number, bytes }: Line): Parsed {
  const bad = (kind: string, message: string, advice: string): Parsed => ({
    ok: false,
    problem: { error: { kind, line: number, message: `Line ${number} ${message}`, advice } },
  });
  if (bytes === undefined) {
    return bad('too_large', 'is longer than 256 MiB', 'Send a smaller message.');
  }
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return bad('parse_error', 'is not valid UTF-8', 'Encode the line as UTF-8, then send it again.');
  }
  if (text.trim() === '') return bad('parse_error', 'is blank', 'Send one JSON value on every line.');
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return bad('parse_error', 'is not valid JSON', 'Send one JSON value on every line; quote plain text.');
  }
}

function failed({ number }: Line): LineProblem {
  return {
    error: {
      kind: 'internal',
      line: number,
      message: `Line ${number} could not be answered because of a bug in mayday`,
      advice: 'Send this line alone, without --jsonl, and report what it prints.',
    },
  };
}
