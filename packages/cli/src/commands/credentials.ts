/** `mayday credentials`: what each caller has of its own for a server behind the gateway. */
import type { CredentialDocument } from '@mayday/gateway';
import { type Arguments, type Flags, parseArguments } from '../arguments.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { readText } from '../io/input.ts';
import type { Io } from '../io/io.ts';
import { toJsonText } from '../io/json-text.ts';
import { didYouMean } from '../nearest.ts';
import { columns } from '../store/columns.ts';
import { DESK_FLAGS, DESK_HELP, withDesk } from '../store/desk.ts';
import { answerOf } from '../store/said.ts';
import { visible } from '../style.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday credentials set CALLER UPSTREAM < FILE
mayday credentials list
mayday credentials remove CALLER UPSTREAM

Credentials of callers, for servers with \`caller_credentials\` in the gateway's file: the calls of each caller carry its
own. CALLER is the name of a key, or of somebody who logs in (login:ann). The credential is read from standard input,
never from the arguments, kept sealed in the store, and never shown. Running gateways use a new one, and stop using one
that is removed, within two seconds. Every change is a row of the audit log (mayday audit).

What they are sealed with is \`store.secret\` of the gateway's file; with --store, the variable MAYDAY_STORE_SECRET.

${DESK_HELP}
  --json       answers in JSON
  -h, --help   this text

Example:
  $ mayday credentials set ann search --config mayday.yaml < token.txt
`;

const FLAGS: Flags = { ...DESK_FLAGS, json: { type: 'boolean' } };

/** Whose, and for which server. */
interface Name {
  readonly caller: string;
  readonly upstream: string;
}

type Action = (parsed: Arguments, name: Name, io: Io) => Promise<ExitCode>;

const ACTIONS: { readonly [name: string]: Action } = { set, list, remove };

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('credentials', words, FLAGS);
  const [action = '', caller, upstream, extra] = parsed.positionals;
  const asked = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (asked === undefined) {
    const what = action === '' ? 'needs to know what to do' : `cannot ${JSON.stringify(action.slice(0, 40))}`;
    throw new UsageError(`\`mayday credentials\` ${what}; ${didYouMean(action, Object.keys(ACTIONS))}`);
  }
  const isNamed = asked !== list;
  const isOdd = isNamed ? upstream === undefined || extra !== undefined : caller !== undefined;
  if (isOdd) throw new UsageError(usageOf(action));
  return asked(parsed, { caller: caller ?? '', upstream: upstream ?? '' }, io);
}

function usageOf(action: string): string {
  if (action === 'list') return 'write `mayday credentials list`';
  const written = `write \`mayday credentials ${action} CALLER UPSTREAM\``;
  return action === 'set' ? `${written}; the credential itself is read from standard input` : written;
}

async function set(parsed: Arguments, name: Name, io: Io): Promise<ExitCode> {
  const secret = await secretIn(io);
  return withDesk(parsed, { isMade: true }, async (desk) => {
    const said = answerOf(await desk.ask<CredentialDocument>('POST', '/credentials', { ...name, secret }));
    if (isJson(parsed)) await io.write(`${toJsonText(said, 2)}\n`);
    io.note(`${theOne(name)} is set; gateways use it within two seconds.`);
    return EXIT.done;
  });
}

/** The line that came in, without its end. */
async function secretIn(io: Io): Promise<string> {
  if (io.inputIsTerminal)
    throw new UsageError(
      'the credential is read from standard input, and would be shown as it is typed; write `mayday credentials set CALLER UPSTREAM < FILE`',
    );
  const secret = (await readText(io, 'credentials')).replace(/\r?\n$/, '');
  if (secret !== '') return secret;
  throw new UsageError('nothing came in on standard input; pipe the credential into it');
}

function list(parsed: Arguments, _name: Name, io: Io): Promise<ExitCode> {
  return withDesk(parsed, { isMade: false }, async (desk) => {
    const { credentials } = answerOf(await desk.ask<Listed>('GET', '/credentials'));
    if (isJson(parsed)) await io.write(`${toJsonText({ credentials }, 2)}\n`);
    else if (credentials.length === 0) io.note('Nobody has a credential.');
    else await io.write(columns([HEAD, ...credentials.map(lineOf)]));
    return EXIT.done;
  });
}

interface Listed {
  readonly credentials: readonly CredentialDocument[];
}

const HEAD: readonly string[] = ['CALLER', 'UPSTREAM', 'SINCE', 'CHANGED'];

function lineOf({
  caller,
  upstream,
  created_at: since,
  changed_at: changed,
}: CredentialDocument): readonly string[] {
  return [caller, upstream, since, changed];
}

function remove(parsed: Arguments, name: Name, io: Io): Promise<ExitCode> {
  return withDesk(parsed, { isMade: false }, async (desk) => {
    const said = await desk.ask<object>('POST', '/credentials/remove', name);
    const isThere = said.ok || said.fault.kind !== 'not_found';
    const answer = isThere ? answerOf(said) : { ...name, removed: false };
    if (isJson(parsed)) await io.write(`${toJsonText(answer, 2)}\n`);
    if (isThere) io.note(`${theOne(name)} is removed; gateways use it for two seconds at most.`);
    else io.note(`mayday: there is no such credential; \`mayday credentials list\` lists them`);
    return isThere ? EXIT.done : EXIT.negative;
  });
}

function theOne({ caller, upstream }: Name): string {
  return `The credential of ${visible(caller)} for ${visible(upstream)}`;
}

function isJson(parsed: Arguments): boolean {
  return parsed.values['json'] === true;
}
