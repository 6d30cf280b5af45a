/** `mayday faults`: what has failed at the gateways on one store. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultDocument, GroupDocument } from '@mayday/gateway';
import { StoreError } from '@mayday/store';
import { type Arguments, type Flags, parseArguments, stringFlag } from '../arguments.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { untilStopped } from '../gateway/start.ts';
import type { Io } from '../io/io.ts';
import { toJsonText } from '../io/json-text.ts';
import { columns } from '../store/columns.ts';
import { DESK_FLAGS, DESK_HELP, type Desk, withDesk } from '../store/desk.ts';
import { answerOf } from '../store/said.ts';
import { Unreachable, UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday faults [--group | --follow] [--limit N]

Lists what has failed at the gateways on one store, the newest last; \`--group\` tells failures of the same kind, in the
same words, together, with how often and since when.

  --group      one line for each group, the last seen first
  --follow     goes on with what fails from now on, until it is stopped
  --limit N    as many; 50 if absent
${DESK_HELP}
  --json       answers in JSON, one failure or group a line
  -h, --help   this text

Example:
  $ mayday faults --group --store file:./mayday.db
`;

const FLAGS: Flags = {
  ...DESK_FLAGS,
  group: { type: 'boolean' },
  follow: { type: 'boolean' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
};

const POLL_MS = 500;
const PAGE = 500;
const MOST = 10_000;

interface Asked {
  readonly limit: number;
  readonly inJson: boolean;
}

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('faults', words, FLAGS);
  const [extra] = parsed.positionals;
  if (extra !== undefined)
    throw new UsageError(`\`mayday faults\` takes no argument ${JSON.stringify(extra)}; leave it out`);
  const { group, follow, json } = parsed.values;
  if (group === true && follow === true)
    throw new UsageError('--group and --follow exclude each other; keep one of them');
  const asked: Asked = { limit: limitFlag(parsed), inJson: json === true };
  return withDesk(parsed, { isMade: false }, async (desk) => {
    if (group === true) await listGroups(desk, asked, io);
    else {
      const last = await list(desk, asked, io);
      if (follow === true) await goOn(desk, last, asked, io);
    }
    return EXIT.done;
  });
}

function limitFlag(parsed: Arguments): number {
  const said = stringFlag(parsed, 'limit') ?? '50';
  if (/^\d{1,5}$/.test(said) && Number(said) > 0 && Number(said) <= MOST) return Number(said);
  throw new UsageError(`--limit needs a number from 1 to ${MOST}, not ${JSON.stringify(said.slice(0, 40))}`);
}

/** The id of the newest. */
async function list(desk: Desk, { limit, inJson }: Asked, io: Io): Promise<string | undefined> {
  const newest = await page(desk, `limit=${limit}`);
  await io.write(linesOf(newest.toReversed(), inJson));
  if (newest.length === 0 && !inJson) io.note(NOTHING);
  return newest[0]?.id;
}

async function page(desk: Desk, query: string): Promise<readonly FaultDocument[]> {
  const said = await desk.ask<{ readonly faults: readonly FaultDocument[] }>('GET', `/faults?${query}`);
  // Too often, or while the store is away: it passes by itself.
  if (!said.ok && (said.fault.status === 503 || said.fault.status === 429))
    throw new Unreachable(said.fault.message);
  return answerOf(said).faults;
}

async function goOn(desk: Desk, from: string | undefined, { inJson }: Asked, io: Io): Promise<void> {
  let isOver = false;
  void untilStopped().then(() => {
    isOver = true;
  });
  const away = tellingOnce(io);
  for (let last = from; !isOver; ) {
    // Of an empty journal there is no last one: everything in it is new.
    const after = last === undefined ? '' : `&after=${encodeURIComponent(last)}`;
    const found = await page(desk, `limit=${PAGE}${after}`).catch(away);
    const next = last === undefined ? found.toReversed() : found;
    if (next.length > 0) await io.write(linesOf(next, inJson));
    last = next.at(-1)?.id ?? last;
    if (next.length < PAGE) await pause(POLL_MS);
  }
}

/** Who is away for a moment comes back: told once, and asked again. Whatever does not pass by itself ends it. */
function tellingOnce(io: Io): (error: unknown) => readonly [] {
  let last = '';
  return (error) => {
    const isAway = error instanceof StoreError && (error.problem === 'down' || error.problem === 'slow');
    if (!isAway && !(error instanceof Unreachable)) throw error;
    const problem = isAway ? error.problem : 'unreachable';
    if (problem !== last) io.note(`mayday: ${error.message}; it is asked again`);
    last = problem;
    return [];
  };
}

function linesOf(entries: readonly FaultDocument[], inJson: boolean): string {
  if (inJson) return entries.map((entry) => `${toJsonText(entry)}\n`).join('');
  return columns(
    entries.map(({ at, upstream = '-', kind, fingerprint, message, details }) => {
      const { target, caller, fields } = Object(details) as {
        readonly [name in 'target' | 'caller' | 'fields']?: unknown;
      };
      const about = Array.isArray(fields) && fields.length > 0 ? ` (${fields.join(', ')})` : '';
      return [at, upstream, String(target ?? '-'), String(caller ?? '-'), kind, fingerprint, message + about];
    }),
  );
}

async function listGroups(desk: Desk, { limit, inJson }: Asked, io: Io): Promise<void> {
  const path = `/faults/groups?limit=${limit}`;
  const { groups } = answerOf(await desk.ask<{ readonly groups: readonly GroupDocument[] }>('GET', path));
  if (inJson) await io.write(groups.map((group) => `${toJsonText(group)}\n`).join(''));
  else if (groups.length === 0) io.note(NOTHING);
  else await io.write(columns(groups.map(groupLine)));
}

const NOTHING = 'The journal of failures is empty.';

function groupLine(group: GroupDocument): readonly string[] {
  const { count, first_seen, last_seen, upstream = '-', kind, fingerprint, message } = group;
  return [`${count}×`, first_seen, last_seen, upstream, kind, fingerprint, message];
}
