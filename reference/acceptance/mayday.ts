import { fileURLToPath } from 'node:url';
import { runProgram, type Said } from './program.ts';
import type { Wire } from './wire.ts';

const BIN = fileURLToPath(new URL('../../packages/cli/bin/mayday.js', import.meta.url));

/** Runs `mayday` as a user does, on values one a line, and gives the answers in order. */
export async function mayday(args: readonly string[], values: readonly Wire[]): Promise<Wire[]> {
  const input = values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const said = await maydayText([...args, '--jsonl'], input);
  const lines = said.out.trimEnd().split('\n');
  if (said.status !== 0 || lines.length !== values.length) {
    throw new Error(`mayday ${args.join(' ')} ended with ${said.status}: ${said.errors}${said.out}`);
  }
  return lines.map((line) => JSON.parse(line));
}

/** Runs `mayday` once and gives what it said. */
export function maydayText(args: readonly string[], input = ''): Promise<Said> {
  return runProgram([BIN, ...args], { input });
}
