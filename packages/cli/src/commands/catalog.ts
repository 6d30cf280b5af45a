/** `mayday catalog`: all kinds and codes, and whether a promise about them was broken. */
import { buildCatalogue, type Catalogue, checkLock, isLock, lockOf } from '@mayday/core/catalog';
import { type Arguments, type Flags, parseArguments, stringFlag } from '../arguments.ts';
import { readDefinitions } from '../catalog/definitions-file.ts';
import { catalogueDocument } from '../catalog/document.ts';
import { catalogueHtml } from '../catalog/html.ts';
import { readJsonFile } from '../catalog/json-file.ts';
import { catalogueMarkdown } from '../catalog/markdown.ts';
import { catalogueDialect, narrowed } from '../dialect-flag.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Io } from '../io/io.ts';
import { toJsonText } from '../io/json-text.ts';
import { languageFlag } from '../language-flag.ts';
import { didYouMean } from '../nearest.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday catalog [--dialect D] [--format json|md|html] [--definitions FILE] [--with FILE]
mayday catalog lock [--dialect D] [--definitions FILE]
mayday catalog check LOCK [--definitions FILE]

Prints all kinds and all codes of every dialect. \`lock\` prints what is promised about them; \`check\`
compares a lock with what is true now: exit status 1, and one line each, when a code was renumbered,
removed, or changed its meaning; 0 when codes were only added.

  --dialect D         only the codes of one dialect
  --format FORMAT     json (default), md or html
  --definitions FILE  your own errors as well: a JSON array of {code, kind, subject?, meaning, retryable?};
                      \`lock\` then locks only those
  --with FILE         a JavaScript module that exports dialects of your own
  -h, --help          this text

Example:
  $ mayday catalog lock --definitions errors.json > errors.lock.json
  $ mayday catalog check errors.lock.json --definitions errors.json
`;

const FLAGS: Flags = {
  dialect: { type: 'string' },
  format: { type: 'string' },
  definitions: { type: 'string' },
  with: { type: 'string' },
};

const FORMATS: { readonly [format: string]: (catalogue: Catalogue) => string } = {
  json: (catalogue) => `${toJsonText(catalogueDocument(catalogue), 2)}\n`,
  md: catalogueMarkdown,
  html: catalogueHtml,
};

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('catalog', words, FLAGS);
  const [action, ...rest] = parsed.positionals;
  if (action === 'check') return check(rest, parsed, io);
  if (action !== undefined && action !== 'lock') {
    const said = JSON.stringify(action);
    throw new UsageError(`\`mayday catalog\` cannot ${said}; ${didYouMean(action, ['check', 'lock'])}`);
  }
  if (rest[0] !== undefined) {
    throw new UsageError(
      `\`mayday catalog lock\` takes no argument ${JSON.stringify(rest[0])}; leave it out`,
    );
  }
  return action === 'lock' ? lock(parsed, io) : print(parsed, io);
}

async function print(parsed: Arguments, io: Io): Promise<ExitCode> {
  const format = stringFlag(parsed, 'format') ?? 'json';
  if (!Object.hasOwn(FORMATS, format)) {
    const names = Object.keys(FORMATS);
    throw new UsageError(`--format knows no ${JSON.stringify(format)}; ${didYouMean(format, names)}`);
  }
  const catalogue = await catalogueOf(parsed);
  await io.write(FORMATS[format]?.(catalogue) ?? '');
  return EXIT.done;
}

async function lock(parsed: Arguments, io: Io): Promise<ExitCode> {
  const only = stringFlag(parsed, 'definitions') === undefined ? undefined : (['application'] as const);
  await io.write(`${toJsonText(lockOf(await catalogueOf(parsed), only), 2)}\n`);
  return EXIT.done;
}

async function check(paths: readonly string[], parsed: Arguments, io: Io): Promise<ExitCode> {
  const [path, extra] = paths;
  if (path === undefined || extra !== undefined) {
    throw new UsageError('`mayday catalog check` needs one lock file; write `mayday catalog check LOCK`');
  }
  if (stringFlag(parsed, 'dialect') !== undefined)
    throw new UsageError('`mayday catalog check` compares what the lock has; leave --dialect out');
  const locked = await readJsonFile(path, 'lock');
  if (!isLock(locked)) {
    throw new UsageError(`${path} is no lock; write one with \`mayday catalog lock\``);
  }
  const breaks = checkLock(locked, await catalogueOf(parsed));
  await io.write(breaks.map(({ message }) => `${message}\n`).join(''));
  if (breaks.length > 0) return EXIT.negative;
  await io.write('No code was renumbered, removed or given another meaning.\n');
  return EXIT.done;
}

async function catalogueOf(parsed: Arguments): Promise<Catalogue> {
  const path = stringFlag(parsed, 'definitions');
  const spoken = await languageFlag(parsed);
  const application = path === undefined ? undefined : await readDefinitions(path);
  const catalogue = buildCatalogue({ dialects: spoken.dialects, application });
  return narrowed(catalogue, catalogueDialect(parsed, spoken));
}
