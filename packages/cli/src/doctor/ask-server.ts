/** One server, asked through the gateway as a caller would ask it: what it says then is what callers would hear. */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, type Language, read } from '@mayday/core';
import { type Settings, startStdioGateway, type UpstreamSettings, type UrlSettings } from '@mayday/gateway';
import type { Check } from './check.ts';
import { isObject, mistakeInOpening, mistakeInTools } from './usable.ts';

interface Answer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** How a server is asked. */
export interface Asking {
  readonly language: Language;
  readonly timeoutMs: number;
}

/** Starts or reaches one server of the settings, and asks for its tools. */
export async function askServer(settings: Settings, name: string, asking: Asking): Promise<Check> {
  const upstream = settings.upstreams.get(name);
  if (upstream?.type === 'url' && isAskedByCallersAlone(upstream))
    return { what: `server ${name}`, ...UNASKED };
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { language } = asking;
  const gateway = await startStdioGateway(alone(settings, name, asking.timeoutMs), {
    root: name,
    input,
    output,
    language,
  });
  const over = new AbortController();
  try {
    const found = await Promise.race([
      toolsOf(input, output),
      silence(asking.timeoutMs + LONGER_MS, over.signal),
    ]);
    return { what: `server ${name}`, ...found };
  } finally {
    over.abort();
    await gateway.close();
  }
}

type Found = Omit<Check, 'what'>;

/** Nothing goes out without the credential of a caller, and none is taken for this. */
function isAskedByCallersAlone({ callerCredentials: { header, required } }: UrlSettings): boolean {
  return header !== undefined && required;
}

const UNASKED: Found = {
  result: 'warning',
  says: 'Not asked: it gets a credential of each caller\u2019s own, and none is used for this.\nCall it with the key of a caller; `mayday credentials list` says who has one.',
};

/** The gateway knows more about a server that does not answer, and is to say it first. */
const LONGER_MS = 2000;

async function silence(ms: number, signal: AbortSignal): Promise<Found> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
  const says = `No answer within ${seconds(ms)}\nSee what it does at its start, or give it more time with --timeout.`;
  return { result: 'failed', says };
}

/** The server and nothing that stands before it: whether callers may use it is another question. */
function alone(settings: Settings, name: string, timeoutMs: number): Settings {
  const upstream = patient(settings.upstreams.get(name), timeoutMs);
  return {
    ...settings,
    dialect: 'mayday',
    access: { ...settings.access, default: 'allow', rules: [] },
    limits: { ...settings.limits, rates: [], concurrency: [] },
    store: { ...settings.store, url: undefined },
    joined: { ...settings.joined, enabled: false },
    upstreams: new Map(upstream === undefined ? [] : [[name, upstream]]),
  };
}

/** The gateway itself gives up in time: it knows what the server wrote meanwhile. */
function patient(upstream: UpstreamSettings | undefined, timeoutMs: number): UpstreamSettings | undefined {
  if (upstream === undefined) return undefined;
  const limits = {
    timeoutMs: Math.min(upstream.timeoutMs, timeoutMs),
    openTimeoutMs: Math.min(upstream.openTimeoutMs, timeoutMs),
  };
  return { ...upstream, ...limits, retry: { ...upstream.retry, attempts: 1 } };
}

const CLIENT = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'mayday-doctor', version: '1.0.0' },
};

async function toolsOf(input: PassThrough, output: PassThrough): Promise<Found> {
  const began = performance.now();
  const say = (message: object): void =>
    void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  say({ id: 1, method: 'initialize', params: CLIENT });
  for await (const line of createInterface({ input: output })) {
    const answer = JSON.parse(line) as Answer;
    if (answer.id !== 1 && answer.id !== 2) continue;
    const reading = read(answer);
    if (reading.failure) return { result: 'failed', says: sentences(reading.fault) };
    const { result } = answer;
    const mistake = answer.id === 1 ? mistakeInOpening(result) : mistakeInTools(result);
    if (mistake !== undefined) return { result: 'failed', says: mistake };
    if (answer.id === 2 || !hasTools(result))
      return { result: 'ok', says: `${counted(result)} in ${seconds(performance.now() - began)}` };
    say({ method: 'notifications/initialized' });
    say({ id: 2, method: 'tools/list' });
  }
  return { result: 'failed', says: 'It ended before it answered' };
}

function hasTools(opening: unknown): boolean {
  return (
    isObject(opening) && isObject(opening['capabilities']) && opening['capabilities']['tools'] !== undefined
  );
}

function counted(result: unknown): string {
  const tools = isObject(result) ? result['tools'] : undefined;
  const count = Array.isArray(tools) ? tools.length : 0;
  return count === 1 ? '1 tool' : `${count === 0 ? 'no' : count} tools`;
}

/** What happened, what to do, and what the server itself wrote. */
function sentences({ message, advice, details = {} }: Fault): string {
  const { command, stderr } = details as { readonly [name: string]: unknown };
  const said = [message, advice, command === undefined ? undefined : `Command: ${String(command)}`];
  const written = typeof stderr === 'string' ? ['It wrote:', ...stderr.split('\n').slice(-WRITTEN)] : [];
  return [...said, ...written].filter((line) => line !== undefined).join('\n');
}

/** Lines of standard error that are shown. */
const WRITTEN = 5;

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
