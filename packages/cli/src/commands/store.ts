/** `mayday store`: copies of a store in a file, made while gateways run and brought back while none does. */
import { backUpStore, restoreStore } from '@mayday/store';
import { type Arguments, type Flags, parseArguments } from '../arguments.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Io } from '../io/io.ts';
import { toJsonText } from '../io/json-text.ts';
import { didYouMean } from '../nearest.ts';
import { STORE_FLAGS, STORE_HELP, storeUrl, tellingStore } from '../store/with-store.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday store backup FILE
mayday store restore FILE

Copies a store in a file into a new FILE, as it is at one moment, while gateways use it; and brings such a copy back, once
every gateway on the store was stopped. What was there before is kept beside it, under a name that is told. The file of a
store alone is no copy of it: what was written last is in its -wal.

A restored store knows nothing of what came later: keys that were revoked since are good again, and consents that were
used since can be used again.

${STORE_HELP}
  --json       answers in JSON
  -h, --help   this text

Example:
  $ mayday store backup /var/backups/mayday-monday.db --store file:./mayday.db
`;

const FLAGS: Flags = { ...STORE_FLAGS, json: { type: 'boolean' } };

interface Asked {
  readonly parsed: Arguments;
  readonly url: string;
  readonly file: string;
  readonly io: Io;
}

const ACTIONS: { readonly [name: string]: (asked: Asked) => Promise<void> } = { backup, restore };

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('store', words, FLAGS);
  const [name = '', file, extra] = parsed.positionals;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) {
    const what = name === '' ? 'needs to know what to do' : `cannot ${JSON.stringify(name.slice(0, 40))}`;
    throw new UsageError(`\`mayday store\` ${what}; ${didYouMean(name, Object.keys(ACTIONS))}`);
  }
  if (file === undefined || file === '' || extra !== undefined)
    throw new UsageError(`write \`mayday store ${name} FILE\``);
  const url = await storeUrl(parsed);
  await tellingStore(() => action({ parsed, url, file, io }));
  return EXIT.done;
}

async function backup({ parsed, url, file, io }: Asked): Promise<void> {
  await backUpStore(url, file);
  if (parsed.values['json'] === true) await io.write(`${toJsonText({ file }, 2)}\n`);
  io.note(`The store is copied to ${file}; \`mayday store restore ${file}\` brings it back.`);
}

async function restore({ parsed, url, file, io }: Asked): Promise<void> {
  const { kept = null } = await restoreStore(url, file);
  if (parsed.values['json'] === true) await io.write(`${toJsonText({ file, kept }, 2)}\n`);
  const before = kept === null ? '' : ` What was there before is ${kept}.`;
  io.note(`The store is as it was when ${file} was made.${before}`);
}
