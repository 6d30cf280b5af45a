/** `mayday demo`: the gateway with the five reference servers behind it, and a little traffic. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createLineWriter, type Gateway, resolveSettings } from '@mayday/gateway';
import { type Flags, noPositionals, parseArguments, stringFlag } from '../arguments.ts';
import { demoUpstreams, findReference } from '../demo/servers.ts';
import { callAll, type Outcome } from '../demo/traffic.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { portFrom, startOn, untilStopped } from '../gateway/start.ts';
import { hearStrays } from '../gateway/strays.ts';
import type { Io } from '../io/io.ts';
import { createStyle, harmless, type Style } from '../style.ts';

export const help: string = `mayday demo [--port N] [--once] [--verbose]

Starts the gateway with five servers behind it, each of which fails in a way of its own, calls them, and shows that
every failure comes out in the same form. The servers are in the repository: it runs from a checkout.

  --port N    listen on this port instead of 7350; 0 takes any that is free
  --once      stop after the first calls
  --verbose   log faults and notes on standard error
  -h, --help  this text

Example:
  $ mayday demo
`;

const FLAGS: Flags = { port: { type: 'string' }, once: { type: 'boolean' }, verbose: { type: 'boolean' } };

/** While it runs, everything is called again this often. */
const AGAIN_MS = 15_000;

/** Runs the command until it is told to stop. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('demo', words, FLAGS);
  noPositionals('demo', parsed);
  const port = portFrom(stringFlag(parsed, 'port'));
  const folder = mkdtempSync(join(tmpdir(), 'mayday-demo-'));
  const log = createLineWriter(process.stderr);
  let gateway: Gateway | undefined;
  try {
    const reference = findReference(); // before anything is promised
    await io.write('Starting five servers and the gateway in front of them …\n\n');
    const upstreams = await demoUpstreams(reference, folder);
    const { settings } = resolveSettings({ upstreams, listen: { port } });
    const onLog = parsed.values['verbose'] === true ? log.line : undefined;
    hearStrays()(onLog);
    gateway = await startOn(settings, { onLog });
    const { url } = gateway;
    const outcomes = await callAll(`${url}/mcp`);
    await io.write(table(outcomes, createStyle(io.colours), io.columns));
    if (parsed.values['once'] === true) return EXIT.done;
    await io.write(hints(url));
    const again = setInterval(() => void callAll(`${url}/mcp`).catch(() => undefined), AGAIN_MS);
    await untilStopped({ again: () => void gateway?.close(0) });
    clearInterval(again);
    return EXIT.done;
  } finally {
    await gateway?.close(1000);
    log.flush();
    rmSync(folder, { recursive: true, force: true });
  }
}

function table(outcomes: readonly Outcome[], style: Style, columns: number): string {
  const width = Math.max(...outcomes.map(({ tool }) => tool.length));
  const lines = outcomes.map(({ tool, kind, reaction, says }) => {
    const what = kind === 'ok' ? 'ok' : `${kind} (${reaction})`;
    const room = Math.max(20, columns - width - 36);
    const text = harmless(says);
    const shown = text.length > room ? `${text.slice(0, room - 1)}…` : text;
    return `  ${tool.padEnd(width)}  ${style.name(what.padEnd(32))}${style.quiet(shown)}`;
  });
  return `${lines.join('\n')}\n\n`;
}

function hints(url: string): string {
  const order =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cancel-order","arguments":{"orderId":"ord_4711"}}}';
  return `All of them are at ${url}/mcp, each of them at ${url}/<name>/mcp. Try:

  one failure, in the form that another system expects
  $ curl -s ${url}/onx/mcp -H 'content-type: application/json' -H 'mayday-dialect: closient' -d '${order}'

  what went wrong lately, with what each server said (redacted)
  $ curl -s ${url}/-/faults?limit=3

Everything is called again every ${AGAIN_MS / 1000} s. Stop with Ctrl-C.
`;
}
