/** `mayday audit`: what was changed, by whom, and whether the log of it is as it was written. */
import type { AuditDocument } from '@mayday/gateway';
import { type Arguments, type Flags, parseArguments, stringFlag } from '../arguments.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Io } from '../io/io.ts';
import { toJsonText } from '../io/json-text.ts';
import { didYouMean } from '../nearest.ts';
import { columns } from '../store/columns.ts';
import { DESK_FLAGS, DESK_HELP, type Desk, withDesk } from '../store/desk.ts';
import { answerOf } from '../store/said.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday audit [--after N]
mayday audit verify [--known N:HASH]

Lists the audit log of a store, the oldest row first. \`verify\` goes through all of it: exit status 1 when a row was
changed or is missing. Whoever can write the store can write all of it anew: that is found out with a row that was noted
elsewhere.

  --after N      only rows after this one
  --known N:H    the number and the hash of a row, as \`--json\` shows them
${DESK_HELP.replace(/^( {2}--\w+ \w+)/gm, '$1  ')}
  --json         answers in JSON, one row a line
  -h, --help     this text

Example:
  $ mayday audit verify --store file:./mayday.db
`;

const FLAGS: Flags = {
  ...DESK_FLAGS,
  after: { type: 'string' },
  known: { type: 'string' },
  json: { type: 'boolean' },
};

/** Rows that are read at once. */
const PAGE = 500;

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('audit', words, FLAGS);
  const [action, extra] = parsed.positionals;
  if (action !== undefined && action !== 'verify')
    throw new UsageError(
      `\`mayday audit\` cannot ${JSON.stringify(action)}; ${didYouMean(action, ['verify'])}`,
    );
  if (extra !== undefined) throw new UsageError('write `mayday audit verify`');
  const odd = action === 'verify' ? 'after' : 'known';
  if (parsed.values[odd] !== undefined)
    throw new UsageError(
      `--${odd} means nothing to \`mayday audit${action === undefined ? '' : ' verify'}\``,
    );
  const asked = {
    after: afterFlag(parsed),
    known: knownFlag(parsed),
    inJson: parsed.values['json'] === true,
  };
  const work = action === 'verify' ? verify : list;
  return withDesk(parsed, { isMade: false }, (desk) => work(desk, asked, io));
}

interface Asked {
  readonly after: number;
  /** The number and the hash of a row, as N:HASH. */
  readonly known: string | undefined;
  readonly inJson: boolean;
}

async function list(desk: Desk, { after, inJson }: Asked, io: Io): Promise<ExitCode> {
  for (let last = after; ; ) {
    const path = `/audit?after=${last}&limit=${PAGE}`;
    const { rows } = answerOf(await desk.ask<{ readonly rows: readonly AuditDocument[] }>('GET', path));
    await io.write(inJson ? jsonOf(rows) : columns(rows.map(lineOf)));
    if (rows.length === 0 && last === after && !inJson) io.note(noRows(after));
    if (rows.length < PAGE) return EXIT.done;
    last = rows.at(-1)?.seq ?? last;
  }
}

function noRows(after: number): string {
  return after === 0 ? 'The audit log is empty.' : `The audit log has no row after ${after}.`;
}

function jsonOf(rows: readonly AuditDocument[]): string {
  return rows.map((row) => `${toJsonText(row)}\n`).join('');
}

function lineOf({ seq, at, actor, action, target = '-', details }: AuditDocument): readonly string[] {
  return [String(seq), at, actor, action, target, details === undefined ? '' : toJsonText(details)];
}

type Verdict =
  | { readonly ok: true; readonly rows: number; readonly head: string }
  | { readonly ok: false; readonly broken_at: number };

async function verify(desk: Desk, { known, inJson }: Asked, io: Io): Promise<ExitCode> {
  const path = known === undefined ? '/audit/verify' : `/audit/verify?known=${known}`;
  const verdict = answerOf(await desk.ask<Verdict>('GET', path));
  if (inJson) await io.write(`${toJsonText(verdict)}\n`);
  else if (verdict.ok)
    await io.write(
      `${verdict.rows} rows, none changed or missing; the last is ${verdict.rows}:${verdict.head}\n`,
    );
  else await io.write(`Row ${verdict.broken_at} was changed, or is missing.\n`);
  return verdict.ok ? EXIT.done : EXIT.negative;
}

function afterFlag(parsed: Arguments): number {
  const said = stringFlag(parsed, 'after') ?? '0';
  if (/^\d{1,15}$/.test(said)) return Number(said);
  throw new UsageError(`--after needs the number of a row, not ${JSON.stringify(said.slice(0, 40))}`);
}

function knownFlag(parsed: Arguments): Asked['known'] {
  const said = stringFlag(parsed, 'known');
  if (said === undefined) return undefined;
  if (/^[1-9]\d{0,14}:[0-9a-f]{64}$/.test(said)) return said;
  throw new UsageError('--known needs the number and the hash of a row, as N:HASH');
}
