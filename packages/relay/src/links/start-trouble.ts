/**
 * Why a server process ended, or says nothing, before it answered anything: found in its last words. Who reads it is
 * often the one who wrote the settings, and wants to know which of them is wrong.
 */
import { unfitSettings } from './validation-words.ts';

/** What is wrong, and what to do about it. */
export interface StartTrouble {
  /** `the module ./tools.js is missing` */
  readonly why: string;
  readonly advice: string;
}

interface Sign {
  readonly said: RegExp;
  /** `$1` is what the expression has found; without it, `otherwise` is told. */
  readonly why: string;
  readonly otherwise?: string;
  readonly advice: string;
}

const ANOTHER_NODE = {
  why: 'it needs another version of Node',
  advice: 'Give the server the Node that it asks for, by the full path as its `command`.',
};

/** How it is said that a Node is too old or too new: by Node, by those who install, and by servers themselves. */
const NODE_SIGNS: readonly Sign[] = [
  /\b(?:requires?|needs|unsupported|expected) (?:a )?node(?:\.js)?(?: version)?:? ?(?:[<>=^~v ]{0,4}\d[\d.x]{0,12}){1,3}/i,
  /\bnode(?:\.js)?(?: version)? [<>=^~v ]{0,4}\d[\d.x]{0,12}\+? (?:or (?:higher|newer|later|above)\b|(?:is )?(?:required|not supported)\b)/i,
  /\bunsupported node(?:\.js)? version\b|\bplease (?:upgrade|update) (?:your )?node\b/i,
  /\bbad option: --[\w-]{1,60}|\bERR_(?:UNKNOWN_FILE_EXTENSION|REQUIRE_ESM|UNKNOWN_BUILTIN_MODULE|PNPM_UNSUPPORTED_ENGINE)\b/,
  /\bnpm (?:ERR!|error) .{0,40}\b(?:EBADENGINE|unsupported engine)\b|\bengine "node" is incompatible\b/i,
  /\bcompiled against a different Node\.js version\b|'node:[\w/]{1,40}' does not provide an export named\b/,
  /\b(?:Promise\.(?:withResolvers|try)|Array\.fromAsync|(?:Object|Map)\.groupBy|structuredClone) is not a function\b/,
  /\.(?:union|intersection|symmetricDifference|is(?:Subset|Superset|Disjoint)(?:Of|From)|to(?:Sorted|Reversed|Spliced)|findLast(?:Index)?) is not a function\b/,
  /\b(?:fetch|File|FormData|Headers|Request|Response|ReadableStream|CustomEvent|WebSocket|structuredClone) is not defined\b/,
].map((said) => ({ said, ...ANOTHER_NODE }));

/** The first that fits decides; every expression is bounded, and looks at one line. */
const SIGNS: readonly Sign[] = [
  ...NODE_SIGNS,
  {
    said: /(?:cannot find (?:module|package)|no module named|module not found:(?: error:)? can't resolve) ['"`]?([^'"`\s]{1,200})/i,
    why: 'the module $1 is missing',
    advice: 'Install what the server needs, or correct the path in its settings.',
  },
  {
    said: /\b(?:missing|required|undefined|unset)\b[^A-Z]{0,40}(?:environment|env)\b[^A-Z]{0,30}\b([A-Z][A-Z0-9_]{2,60})\b/,
    why: 'the variable $1 is not set',
    advice: 'Set $1 under `env` of this server.',
  },
  {
    said: /\b([A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,40})\b.{0,60}\b(?:is |are )?(?:required|missing|not set|unset|not defined|undefined|must be set|must be provided|not provided|not found)\b/i,
    why: 'the variable $1 is not set',
    advice: 'Set $1 under `env` of this server.',
  },
  {
    said: /\b(?:missing|please set|must set|set the|provide)\b.{0,60}\b([A-Z][A-Z0-9]{1,30}_[A-Z0-9_]{1,40})\b/i,
    why: 'the variable $1 is not set',
    advice: 'Set $1 under `env` of this server.',
  },
  {
    said: /\bEADDRINUSE\b(?:.{0,80}:(\d{2,5})\b)?|\baddress already in use\b/i,
    why: 'port $1, which it listens on, is taken',
    otherwise: 'a port that it listens on is taken',
    advice: 'End what uses the port, or give the server another one.',
  },
  {
    said: /\bnpm (?:ERR!|error)(?: code)? E?404\b|\b404 Not Found - GET\b/i,
    why: 'its package does not exist in the registry',
    advice: 'Correct the name of the package in `args`.',
  },
  {
    said: /\b(?:npm (?:ERR!|error)|uv|pip|npx).{0,40}\b(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|network)\b|\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN)/i,
    why: 'it cannot reach the network',
    advice: 'Look at the network and its proxy, then try again.',
  },
  {
    said: /could not determine executable to run/i,
    why: 'its package has no command of this name',
    advice: 'Correct `args`: the package may have to be named with `--package`.',
  },
  {
    said: /cannot connect to the docker daemon|docker daemon running/i,
    why: 'Docker does not run',
    advice: 'Start Docker, then try again.',
  },
  {
    said: /\b([\w./-]{1,100}): (?:command )?not found\b|'([\w./-]{1,100})' is not recognized as an internal or external command/i,
    why: 'the command $1 was not found',
    advice: 'Install it, or name it by its full path.',
  },
  {
    said: /\bfailed to spawn:? ['"`]([^'"`]{1,100})['"`]/i,
    why: 'the command $1 was not found',
    advice: 'Install it, or correct its name in `args` of this server.',
  },
  {
    said: /\bcannot access directory ['"`]?([^'"`\s,]{1,200})/i,
    why: 'it may not use the folder $1, or it does not exist',
    advice: 'Correct the folders in `args` of this server.',
  },
  {
    said: /\bnone of the (?:specified|given|allowed) (?:directories|folders|paths) (?:is|are) accessible\b/i,
    why: 'it can use none of the folders that it was given',
    advice: 'Correct the folders in `args` of this server.',
  },
  {
    said: /\bENOENT\b.{0,40}['"`]([^'"`]{1,200})['"`]|(\.{0,2}[\\/][^\s:'"`]{1,200}): no such file or directory\b(?!:)|\bno such file or directory\b(?:: ?['"`]?([^'"`\s(]{1,200}))?/i,
    why: 'the file or folder $1 does not exist',
    otherwise: 'a file or folder that it needs does not exist',
    advice: 'Correct the path, or `cwd`, in the settings of this server.',
  },
  {
    said: /\b(?:EACCES|EPERM|permission denied)\b/i,
    why: 'it may not use something that it needs',
    advice: 'Give the server the rights that it needs.',
  },
  {
    said: /\b(?:invalid|incorrect|wrong|expired|missing) (?:api[ _-]?key|token|credentials?|password)\b|\b401\b.{0,20}\bunauthorized\b/i,
    why: 'a credential that it was given is refused',
    advice: 'Correct the credential under `env` or `args` of this server.',
  },
  {
    said: /\b(?:unknown|unrecognized|unexpected|invalid) (?:option|argument|flag|command)s?:? ['"`]?([^'"`\s]{1,100})|^usage: /i,
    why: 'it does not take the argument $1',
    otherwise: 'it does not take the arguments that it was given',
    advice: 'Correct `args` of this server.',
  },
  {
    said: /\b(?:heap out of memory|out of memory|oomkilled)\b/i,
    why: 'it ran out of memory',
    advice: 'Give the server more memory.',
  },
  {
    said: /(?:\bin JSON|\bis not valid JSON|\bend of JSON input|\bJSONDecodeError\b)(?:.{0,80}?\bat (position \d{1,9})|.{0,80}?\b(line \d{1,9},? column \d{1,9}))?/,
    why: 'something that it reads is no JSON, at $1',
    otherwise: 'something that it reads is no JSON',
    advice: 'Correct the file, or the value under `env` or `args`, that the server reads as JSON.',
  },
  {
    said: /\b(?:YAML(?:Parse)?(?:Error|Exception)|yaml\.(?:scanner|parser)\.\w{1,40}|TOMLDecodeError|TomlError)\b/,
    why: 'a file of settings cannot be read',
    advice: 'Correct the file that the server reads its settings from.',
  },
  {
    said: /\bSyntaxError\b|\bunexpected token\b|\bsyntax error\b/i,
    why: 'its program cannot be read',
    advice: 'The server is broken, or made for another version of its runtime.',
  },
];

/** What the last words of a process tell, newest lines last. Long lines are looked at as far as anybody would read. */
export function troubleIn(lines: readonly string[]): StartTrouble | undefined {
  const unfit = unfitSettings(lines);
  if (unfit !== undefined) return unfit;
  for (const { said, why, otherwise, advice } of SIGNS) {
    for (const line of lines) {
      const found = said.exec(line.slice(0, MAX_LINE));
      if (found === null) continue;
      const what = found.slice(1).find((part) => part !== undefined) ?? '';
      const told = what === '' && otherwise !== undefined ? otherwise : why.replace('$1', what);
      return { why: told, advice: advice.replace('$1', what) };
    }
  }
  return undefined;
}

const MAX_LINE = 1000;

/** A process that ended by itself, without a word and without having failed. */
export const ENDED_WELL: StartTrouble = {
  why: 'it ended by itself, and said nothing',
  advice: 'Is it a server over standard input and output? It may need another argument, such as `stdio`.',
};

/** Shorter ones stand everywhere. */
const SHORTEST = 5;

/** Whatever is longer is no key that a line of text would break. */
const LONGEST_SPLIT = 512;

/** What may stand inside of a word that was written for a terminal: a colour, as far as it was printable, or the end of a line. */
const SPLIT = String.raw`(?: ?\[[\d;]{0,16}m|\n[ \t]*)?`;

/** The words without what the settings have given to the process: keys among it, also where they go on in the next line. */
export function without(words: string, hidden: readonly string[]): string {
  let left = words;
  for (const value of hidden) {
    if (value.length < SHORTEST) continue;
    left = left.replaceAll(value, '[hidden]');
    const mayBeSplit = value.length <= LONGEST_SPLIT && !value.includes('\n');
    if (mayBeSplit) left = left.replace(splitForm(value), '[hidden]');
  }
  return left;
}

function splitForm(value: string): RegExp {
  const letters = [...value].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  return new RegExp(letters.join(SPLIT), 'gu');
}
