/** `mayday keys`: makes, lists, exchanges and revokes the keys of a gateway's callers, while it runs. */
import type { Settings } from '@mayday/gateway';
import type { IssuedKey, Store, StoredKey } from '@mayday/store';
import { type Arguments, type Flags, parseArguments, stringFlag } from '../arguments.ts';
import { dialectFlag } from '../dialect-flag.ts';
import { durationFlag } from '../duration-flag.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Io } from '../io/io.ts';
import { toJsonText } from '../io/json-text.ts';
import { languageFlag } from '../language-flag.ts';
import { didYouMean } from '../nearest.ts';
import { columns } from '../store/columns.ts';
import { createKey, revokeKey, rotateKey, type WantedKey } from '../store/key-changes.ts';
import { keyDocument } from '../store/key-document.ts';
import { type Opened, STORE_FLAGS, STORE_HELP, withStore } from '../store/with-store.ts';
import { harmless } from '../style.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday keys create NAME [--upstreams A,B] [--tenant T] [--scopes A,B] [--role R] [--dialect D] [--expires 30d]
mayday keys list
mayday keys rotate ID [--overlap 1h]
mayday keys revoke ID

Keys of callers, in the store of a gateway. Running gateways take a new key at once and refuse a revoked one within two
seconds. A key is shown once, on standard output, and kept nowhere; everything else is on standard error. Every change
is a row of the audit log (mayday audit).

  --upstreams A,B  only these servers; all of them if absent
  --tenant T       whom it belongs to, for the rules of the gateway file
  --scopes A,B     what it may do, for the same
  --role R         caller, or operator: reads the status and the faults too
  --dialect D      the dialect of this caller
  --expires T      good for so long (90s, 15m, 12h, 30d); without an end, if absent
  --overlap T      how long the old secret stays good; 1h if absent, 0 ends it at once
${STORE_HELP.replace(/^( {2}--\w+ \w+)/gm, '$1    ')}
  --json           answers in JSON
  -h, --help       this text

Example:
  $ mayday keys create ann --upstreams files --expires 90d --store file:./mayday.db
`;

const FLAGS: Flags = {
  ...STORE_FLAGS,
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

const EVERYWHERE: readonly string[] = ['config', 'store', 'with', 'json', 'help'];

const ACTIONS: { readonly [name: string]: Action } = {
  create: {
    needs: 'NAME',
    flags: ['upstreams', 'tenant', 'scopes', 'role', 'dialect', 'expires'],
    run: create,
  },
  list: { needs: '', flags: [], run: list },
  rotate: { needs: 'ID', flags: ['overlap'], run: rotate },
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
  return withStore(parsed, { isMade: true }, async ({ store, settings }) => {
    expectFits(wanted, settings);
    const issued = await createKey(store, wanted);
    io.note(
      `Key ${issued.record.id} of ${name} is shown once; its caller sends it as Authorization: Bearer <key>.`,
    );
    await show(io, parsed, issued);
    return EXIT.done;
  });
}

function list({ parsed, io }: Asked): Promise<ExitCode> {
  return withStore(parsed, { isMade: false }, async ({ store }) => {
    const keys = (await store.keys.list()).map(keyDocument);
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
  return withKey(parsed, id, io, async (store, key) => {
    if (keyDocument(key).state !== 'good') return no(io, parsed, id);
    const issued = await rotateKey(store, key, overlapMs);
    if (issued === undefined) return no(io, parsed, id);
    const old = overlapMs === 0 ? 'is over' : `is good for ${overlap} more`;
    io.note(
      `This is the new secret of key ${id} of ${harmless(key.principal)}, shown once; the old one ${old}.`,
    );
    await show(io, parsed, issued);
    return EXIT.done;
  });
}

function revoke({ parsed, of: id, io }: Asked): Promise<ExitCode> {
  return withKey(parsed, id, io, async (store, key) => {
    if (!(await revokeKey(store, key))) return no(io, parsed, id);
    if (parsed.values['json'] === true) await io.write(`${toJsonText({ id, revoked: true }, 2)}\n`);
    io.note(`Key ${id} of ${harmless(key.principal)} is revoked; gateways refuse it within two seconds.`);
    return EXIT.done;
  });
}

/** Some work on a key. */
function withKey(
  parsed: Arguments,
  id: string,
  io: Io,
  work: (store: Store, key: StoredKey) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withStore(parsed, { isMade: false }, async ({ store }) => {
    const key = (await store.keys.list()).find((one) => one.id === id);
    return key === undefined ? no(io, parsed, id) : work(store, key);
  });
}

async function no(io: Io, parsed: Arguments, id: string): Promise<ExitCode> {
  if (parsed.values['json'] === true) await io.write(`${toJsonText({ id, found: false }, 2)}\n`);
  io.note(
    `mayday: no good key has the id ${JSON.stringify(id.slice(0, 40))}; \`mayday keys list\` lists them`,
  );
  return EXIT.negative;
}

/** Comes after the note: whoever cannot read the secret knows which one to exchange. */
async function show(io: Io, parsed: Arguments, { key, record }: IssuedKey): Promise<void> {
  const document = { key, ...keyDocument(record) };
  await io.write(parsed.values['json'] === true ? `${toJsonText(document, 2)}\n` : `${key}\n`);
}

const MAX_NAME = 100;
const ROLES = ['caller', 'operator'] as const;

async function wantedKey(parsed: Arguments, name: string): Promise<WantedKey> {
  const tenant = stringFlag(parsed, 'tenant');
  expectName('a name', name);
  if (tenant !== undefined) expectName('a tenant', tenant);
  const said = stringFlag(parsed, 'role') ?? 'caller';
  const role = ROLES.find((one) => one === said);
  if (role === undefined)
    throw new UsageError(`--role knows no ${JSON.stringify(said)}; ${didYouMean(said, [...ROLES])}`);
  const dialect = stringFlag(parsed, 'dialect');
  const expires = stringFlag(parsed, 'expires');
  const ttlMs = expires === undefined ? undefined : durationFlag('--expires', expires);
  if (ttlMs === 0) throw new UsageError('--expires needs more than no time at all');
  const spoken = dialect && dialectFlag('--dialect', dialect, await languageFlag(parsed));
  const rights = {
    role,
    dialect: spoken,
    upstreams: upstreamsFlag(parsed),
    scopes: scopesFlag(parsed),
  };
  return { name, tenant, ttlMs, rights };
}

function expectName(what: string, name: string): void {
  if (name.trim() === name && name !== '' && name.length <= MAX_NAME && harmless(name) === name) return;
  throw new UsageError(`${what} has 1 to ${MAX_NAME} characters, no line breaks, and no blanks around it`);
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

/** Where the file is known, so are its servers and its own callers. */
function expectFits({ name, rights }: WantedKey, settings: Opened['settings']): void {
  if (settings === undefined) return;
  const { upstreams, keys }: Settings = settings;
  if (keys.some((key) => key.name === name))
    throw new UsageError(`the file has a key called ${JSON.stringify(name)}; names tell callers apart`);
  const odd = rights.upstreams?.find((one) => !upstreams.has(one));
  if (odd !== undefined)
    throw new UsageError(
      `the file has no upstream ${JSON.stringify(odd)}; ${didYouMean(odd, [...upstreams.keys()])}`,
    );
}
