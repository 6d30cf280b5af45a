/** `mayday status`: how a gateway is that runs. */
import { existsSync } from 'node:fs';
import process from 'node:process';
import type { GatewayStatus, Settings } from '@mayday/gateway';
import { readSettingsFile } from '@mayday/gateway';
import { type Arguments, type Flags, parseArguments, stringFlag } from '../arguments.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { unusable } from '../gateway/no-settings.ts';
import type { Io } from '../io/io.ts';
import { toJsonText } from '../io/json-text.ts';
import { languageFlag } from '../language-flag.ts';
import { columns } from '../store/columns.ts';
import { askGateway, rootOf } from '../store/over-http.ts';
import { answerOf } from '../store/said.ts';
import { harmless } from '../style.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday status [--url URL | --config FILE]

How a gateway is that runs: its servers, their sessions and circuits, and its store. Exit status 1 when a circuit is open
or the store cannot be used. The key of an operator is taken from MAYDAY_KEY.

  --url URL    the gateway; if absent, the one of the file
  --config F   the address in this gateway file (mayday.yaml if absent)
  --with FILE  a JavaScript module that exports dialects of your own
  --json       answers in JSON, as /-/status does
  -h, --help   this text

Example:
  $ mayday status --url http://127.0.0.1:7350
`;

const FLAGS: Flags = {
  url: { type: 'string' },
  config: { type: 'string' },
  with: { type: 'string' },
  json: { type: 'boolean' },
};

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('status', words, FLAGS);
  const [extra] = parsed.positionals;
  if (extra !== undefined)
    throw new UsageError(`\`mayday status\` takes no argument ${JSON.stringify(extra)}; leave it out`);
  const root = rootOf(await addressOf(parsed));
  const question = { root, key: process.env['MAYDAY_KEY'], method: 'GET', path: '/status' } as const;
  const status = answerOf(await askGateway<GatewayStatus>(question));
  if (parsed.values['json'] === true) await io.write(`${toJsonText(status, 2)}\n`);
  else await io.write(`${textOf(status, root)}${columns([HEAD, ...status.upstreams.map(lineOf)])}`);
  const isWell = status.store?.ok !== false && status.upstreams.every(({ circuit }) => circuit !== 'open');
  return isWell ? EXIT.done : EXIT.negative;
}

async function addressOf(parsed: Arguments): Promise<string> {
  const [url, config] = [stringFlag(parsed, 'url'), stringFlag(parsed, 'config')];
  if (url !== undefined && config !== undefined)
    throw new UsageError('--url and --config exclude each other; keep one of them');
  if (url !== undefined) return url;
  const path = config ?? 'mayday.yaml';
  if (config === undefined && !existsSync(path))
    throw new UsageError('which gateway? Give --url URL, or --config FILE');
  const language = await languageFlag(parsed);
  const { settings } = await readSettingsFile(path, { language }).catch((error: unknown) => {
    throw unusable(error, path);
  });
  return addressIn(settings);
}

function addressIn({ listen, admin }: Settings): string {
  if (admin === false) throw new UsageError('the file turns the admin API off; remove `admin: false`');
  const { host, port } = admin.listen.port === undefined ? listen : admin.listen;
  if (port === 0) throw new UsageError('the file leaves the port open; give --url URL');
  // Who listens everywhere listens here too.
  const here = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const scheme = listen.certificate === undefined ? 'http' : 'https';
  return `${scheme}://${here.includes(':') ? `[${here.replace(/^\[|\]$/g, '')}]` : here}:${port}`;
}

function textOf({ started_at, faults, store, workers }: GatewayStatus, root: URL): string {
  const state = store?.ok === true ? 'ok' : (store?.problem ?? 'cannot be used');
  const kept = store === undefined ? 'no store' : `store ${store.engine}: ${harmless(state)}`;
  const failures = faults === 1 ? '1 failure' : `${faults} failures`;
  const crew = workers === undefined ? '' : `, ${workersOf(workers)}`;
  return `${root.origin}, since ${started_at.slice(0, 19)}Z, ${failures}, ${kept}${crew}\n`;
}

function workersOf(workers: NonNullable<GatewayStatus['workers']>): string {
  const restarts = workers.reduce((sum, worker) => sum + worker.restarts, 0);
  const said = `${workers.length} ${workers.length === 1 ? 'worker takes' : 'workers take'} calls`;
  return restarts === 0 ? said : `${said}, ${restarts} started anew`;
}

const HEAD: readonly string[] = [
  'UPSTREAM',
  'TYPE',
  'CIRCUIT',
  'SESSIONS',
  'PROCESSES',
  'TROUBLED',
  'TROUBLE',
];

function lineOf(upstream: GatewayStatus['upstreams'][number]): readonly string[] {
  const { name, type, circuit, sessions = '-', processes = '-', troubled, trouble } = upstream;
  const why = trouble === undefined ? '-' : `${trouble.kind}: ${trouble.message}`;
  return [name, type, circuit, String(sessions), String(processes), troubled.join(',') || '-', why];
}
