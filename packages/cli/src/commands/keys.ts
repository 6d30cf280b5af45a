/** `mayday keys`: makes, lists, exchanges and revokes the keys of a gateway's callers, while it runs. */
import type { KeyDocument } from '@mayday/gateway';
import { type Arguments, type Flags, parseArguments, stringFlag } from '../arguments.ts';
import { dialectFlag } from '../dialect-flag.ts';
import { durationFlag } from '../duration-flag.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Io } from '../io/io.ts';
import { toJsonText } from '../io/json-text.ts';
import { languageFlag } from '../language-flag.ts';
import { didYouMean } from '../nearest.ts';
import { columns } from '../store/columns.ts';
import { DESK_FLAGS, DESK_HELP, type Desk, withDesk } from '../store/desk.ts';
import { answerOf, type Said } from '../store/said.ts';
import { visible } from '../style.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday keys create NAME [--upstreams A,B] [--tenant T] [--scopes A,B] [--role R] [--dialect D] [--expires 30d]
mayday keys list
mayday keys rotate ID [--overlap 1h] [--expires 30d]
mayday keys revoke ID

Keys of callers, in the store of a gateway. Running gateways take a new key at once and refuse a revoked one, or an old
secret that was ended, within two seconds; the one that was asked for it (--url) at once. A key is shown once, on
standard output, and kept nowhere; everything else is on standard error. Every change is a row of the audit log (mayday
audit).

  --upstreams A,B  only these servers; all of them if absent
  --tenant T       whom it belongs to, for the rules of the gateway file
  --scopes A,B     what it may do, for the same
  --role R         caller, or operator: reads the status and the faults too, and uses the admin API
  --dialect D      the dialect of this caller
  --expires T      good for so long (90s, 15m, 12h, 30d); without an end, if absent, and
                   an exchanged key for as long again as it was made for
  --overlap T      how long the old secret stays good, its own end at most; 1h if absent, 0 ends it at once
${DESK_HELP.replace(/^( {2}--\w+ \w+)/gm, '$1    ')}
  --json           answers in JSON
  -h, --help       this text

Example:
  $ mayday keys create ann --upstreams files --expires 90d --store file:./mayday.db
  $ mayday keys list --url http://127.0.0.1:7350
`;

const FLAGS: Flags = {
  ...DESK_FLAGS,
  upstreams: { type: 'string' },
  tenant: { type: 'string' },
  scopes: { type: 'string' },
  role: { type: 'string' },
  dialect: { type: 'string' },
  expires: { type: 'string' },
  overlap: { type: 'string' },
  json: { type: 'boolean' },
};

interface Asked {
  readonly parsed: Arguments;
  /** The name or the id. */
  readonly of: string;
  readonly io: Io;
}

interface Action {
  /** What it needs beside the store; empty for nothing. */
  readonly needs: string;
  readonly flags: readonly string[];
  run(asked: Asked): Promise<ExitCode>;
}

const EVERYWHERE: readonly string[] = ['config', 'store', 'url', 'with', 'json', 'help'];

const ACTIONS: { readonly [name: string]: Action } = {
  create: {
    needs: 'NAME',
    flags: ['upstreams', 'tenant', 'scopes', 'role', 'dialect', 'expires'],
    run: create,
  },
  list: { needs: '', flags: [], run: list },
  rotate: { needs: 'ID', flags: ['overlap', 'expires'], run: rotate },
  revoke: { needs: 'ID', flags: [], run: revoke },
};

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('keys', words, FLAGS);
  const [name = '', of, extra] = parsed.positionals;
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  if (action === undefined) {
    const what = name === '' ? 'needs to know what to do' : `cannot ${JSON.stringify(name)}`;
    throw new UsageError(`\`mayday keys\` ${what}; ${didYouMean(name, Object.keys(ACTIONS))}`);
  }
  const { needs, flags } = action;
  if ((of === undefined) !== (needs === '') || extra !== undefined)
    throw new UsageError(`write \`mayday keys ${name}${needs === '' ? '' : ` ${needs}`}\``);
  const odd = Object.keys(parsed.values).find((flag) => ![...EVERYWHERE, ...flags].includes(flag));
  if (odd !== undefined)
    throw new UsageError(`--${odd} means nothing to \`mayday keys ${name}\`; leave it out`);
  return action.run({ parsed, of: of ?? '', io });
}

async function create({ parsed, of: name, io }: Asked): Promise<ExitCode> {
  const wanted = await wantedKey(parsed, name);
  return withDesk(parsed, { isMade: true }, async (desk) => {
    const made = answerOf(withoutTwin(name, await desk.ask<NewKey>('POST', '/keys', wanted)));
    io.note(`Key ${made.id} of ${name} is shown once; its caller sends it as Authorization: Bearer <key>.`);
    await show(io, parsed, made);
    return EXIT.done;
  });
}

/** A key with its secret. */
interface NewKey extends KeyDocument {
  readonly key: string;
}

/** Who has a key is told what to do with it. */
function withoutTwin<T>(name: string, said: Said<T>): Said<T> {
  if (said.ok || said.fault.kind !== 'conflict' || said.fault.subject?.id === undefined) return said;
  const { id } = said.fault.subject;
  throw new UsageError(
    `${JSON.stringify(name)} has a key (${id}); exchange it with \`mayday keys rotate ${id}\`, or choose another name`,
  );
}

function list({ parsed, io }: Asked): Promise<ExitCode> {
  return withDesk(parsed, { isMade: false }, async (desk) => {
    const { keys } = answerOf(await desk.ask<{ readonly keys: readonly KeyDocument[] }>('GET', '/keys'));
    if (parsed.values['json'] === true) await io.write(`${toJsonText({ keys }, 2)}\n`);
    else if (keys.length === 0) io.note('There are no keys; make one with `mayday keys create NAME`.');
    else {
      const rows = keys.map((key) => [
        key.id,
        key.name,
        key.state,
        key.role,
        key.upstreams?.join(',') ?? 'all',
        key.tenant ?? '-',
        key.scopes.join(',') || '-',
        key.dialect ?? '-',
        key.created_at,
        key.expires_at ?? '-',
        key.last_used_at ?? '-',
      ]);
      await io.write(columns([HEAD, ...rows]));
    }
    return EXIT.done;
  });
}

const HEAD: readonly string[] = [
  'ID',
  'NAME',
  'STATE',
  'ROLE',
  'UPSTREAMS',
  'TENANT',
  'SCOPES',
  'DIALECT',
  'CREATED',
  'EXPIRES',
  'LAST USED',
];

async function rotate({ parsed, of: id, io }: Asked): Promise<ExitCode> {
  const overlap = stringFlag(parsed, 'overlap') ?? '1h';
  const overlapMs = durationFlag('--overlap', overlap);
  const body = { overlap_ms: overlapMs, expires_in_ms: expiresFlag(parsed) };
  return withDesk(parsed, { isMade: false }, async (desk) => {
    const before = await found<KeyDocument>(desk.ask('GET', `/keys/${encodeURIComponent(id)}`));
    const said = before && (await change<NewKey>(desk, id, 'rotate', body));
    if (before === undefined || said === undefined) return no(io, parsed, id);
    const end = said.expires_at === null ? '' : `, good until ${said.expires_at}`;
    const old =
      overlapMs === 0
        ? 'is over: gateways refuse it within two seconds'
        : `is good ${leftOf(before, overlap, overlapMs)}`;
    io.note(
      `This is the new secret of key ${id} of ${visible(said.name)}, shown once${end}; the old one ${old}.`,
    );
    await show(io, parsed, said);
    return EXIT.done;
  });
}

/** An old secret has the overlap, and its own end at most. */
function leftOf({ expires_at: end }: KeyDocument, overlap: string, overlapMs: number): string {
  const isSooner = end !== null && Date.parse(end) < Date.now() + overlapMs;
  return isSooner ? `until ${end}` : `for ${overlap} more`;
}

function revoke({ parsed, of: id, io }: Asked): Promise<ExitCode> {
  return withDesk(parsed, { isMade: false }, async (desk) => {
    const key = await found<KeyDocument>(desk.ask('GET', `/keys/${encodeURIComponent(id)}`));
    const said = key && (await change<object>(desk, id, 'revoke', {}));
    if (key === undefined || said === undefined) return no(io, parsed, id);
    if (parsed.values['json'] === true) await io.write(`${toJsonText(said, 2)}\n`);
    io.note(`Key ${id} of ${visible(key.name)} is revoked; gateways refuse it within two seconds.`);
    return EXIT.done;
  });
}

function change<T>(desk: Desk, id: string, what: string, body: object): Promise<T | undefined> {
  return found<T>(desk.ask('POST', `/keys/${encodeURIComponent(id)}/${what}`, body));
}

/** Nothing, where there is no such key, or it is over. */
async function found<T>(asked: Promise<Said<T>>): Promise<T | undefined> {
  const said = await asked;
  const isGone = !said.ok && (said.fault.kind === 'not_found' || said.fault.kind === 'conflict');
  return isGone ? undefined : answerOf(said);
}

async function no(io: Io, parsed: Arguments, id: string): Promise<ExitCode> {
  if (parsed.values['json'] === true) await io.write(`${toJsonText({ id, found: false }, 2)}\n`);
  io.note(
    `mayday: no good key has the id ${JSON.stringify(id.slice(0, 40))}; \`mayday keys list\` lists them`,
  );
  return EXIT.negative;
}

/** Comes after the note: whoever cannot read the secret knows which one to exchange. */
async function show(io: Io, parsed: Arguments, made: NewKey): Promise<void> {
  await io.write(parsed.values['json'] === true ? `${toJsonText(made, 2)}\n` : `${made.key}\n`);
}

const MAX_NAME = 100;
const ROLES = ['caller', 'operator'] as const;

async function wantedKey(parsed: Arguments, name: string): Promise<object> {
  const tenant = stringFlag(parsed, 'tenant');
  expectName('a name', name);
  if (tenant !== undefined) expectName('a tenant', tenant);
  const said = stringFlag(parsed, 'role') ?? 'caller';
  const role = ROLES.find((one) => one === said);
  if (role === undefined)
    throw new UsageError(`--role knows no ${JSON.stringify(said)}; ${didYouMean(said, [...ROLES])}`);
  const dialect = stringFlag(parsed, 'dialect');
  // A gateway knows its own dialects best.
  const isHere = dialect !== undefined && stringFlag(parsed, 'url') === undefined;
  return {
    name,
    tenant,
    role,
    dialect: isHere ? dialectFlag('--dialect', dialect, await languageFlag(parsed)) : dialect,
    upstreams: upstreamsFlag(parsed),
    scopes: scopesFlag(parsed),
    expires_in_ms: expiresFlag(parsed),
  };
}

function expiresFlag(parsed: Arguments): number | undefined {
  const expires = stringFlag(parsed, 'expires');
  const ttlMs = expires === undefined ? undefined : durationFlag('--expires', expires);
  if (ttlMs === 0) throw new UsageError('--expires needs more than no time at all');
  return ttlMs;
}

function expectName(what: string, name: string): void {
  if (name.trim() === name && name !== '' && name.length <= MAX_NAME && visible(name) === name) return;
  throw new UsageError(
    `${what} has 1 to ${MAX_NAME} characters that can be seen, no line breaks, and no blanks around it`,
  );
}

function scopesFlag(parsed: Arguments): readonly string[] {
  const scopes = stringFlag(parsed, 'scopes')?.split(',') ?? [];
  const odd = scopes.find((scope) => scope.length > MAX_NAME || !/^[!-~]+$/.test(scope));
  if (odd === undefined) return scopes;
  throw new UsageError(
    `--scopes needs words with commas between them, not ${JSON.stringify(odd.slice(0, 40))}`,
  );
}

function upstreamsFlag(parsed: Arguments): readonly string[] | undefined {
  const names = stringFlag(parsed, 'upstreams')?.split(',');
  const odd = names?.find((name) => !/^[a-z0-9][a-z0-9-]{0,31}$/.test(name));
  if (odd === undefined) return names;
  throw new UsageError(
    `--upstreams needs names of servers with commas between them, not ${JSON.stringify(odd)}`,
  );
}
