/** Flags and positionals, checked with sentences. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { didYouMean } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/** The flags of a command, in the form of `node:util`. */
export type Flags = NonNullable<ParseArgsConfig['options']>;

/** What was typed. */
export interface Arguments {
  readonly values: { readonly [flag: string]: string | true | undefined };
  readonly positionals: readonly string[];
}

const HELP: Flags = { help: { type: 'boolean', short: 'h' } };

/** Marks a word that starts with a minus and a digit, so that the parser does not take it for flags. */
const NUMBER = '\u0000';

/** Parses the words after a command; `--help` is always understood. */
export function parseArguments(command: string, words: readonly string[], flags: Flags): Arguments {
  const options: Flags = { ...flags, ...HELP };
  const { tokens } = parseArgs({
    args: words.map((word) => (/^-[\d.]/.test(word) ? NUMBER + word : word)),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, string | true> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(unmark(token.value));
    else if (token.kind === 'option') values[token.name] = checked(command, token, options);
  }
  return { values, positionals };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checked(command: string, token: OptionToken, options: Flags): string | true {
  const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
  if (option === undefined) {
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(
      `\`mayday ${command}\` has no flag ${token.rawName}; ${didYouMean(token.rawName, names)}`,
    );
  }
  if (option.type === 'boolean') {
    if (token.value === undefined) return true;
    throw new UsageError(`${token.rawName} takes no value; write it alone`);
  }
  if (token.value === undefined || (token.inlineValue === false && token.value.startsWith('-'))) {
    throw new UsageError(`${token.rawName} needs a value; write \`${token.rawName} <value>\``);
  }
  return unmark(token.value);
}

function unmark(word: string): string {
  return word.startsWith(NUMBER) ? word.slice(NUMBER.length) : word;
}

/** The value of a flag that takes one. */
export function stringFlag(parsed: Arguments, flag: string): string | undefined {
  const value = parsed.values[flag];
  return typeof value === 'string' ? value : undefined;
}

/** Refuses words that a command has no use for. */
export function noPositionals(command: string, parsed: Arguments): void {
  const [first] = parsed.positionals;
  if (first === undefined) return;
  throw new UsageError(
    `\`mayday ${command}\` takes no argument ${JSON.stringify(first)}; pipe the message into it`,
  );
}
