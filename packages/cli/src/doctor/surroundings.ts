/** What a gateway needs around it: Node, its port, its store. */
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { isGivenCredentials, type Settings } from '@mayday/gateway';
import { type Health, openStore, storeFile } from '@mayday/store';
import { portProblem } from '../gateway/start.ts';
import type { Check } from './check.ts';

/** The version, and what it can do. */
export function checkNode(): Check {
  const version = process.versions.node;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 20)
    return { what: 'node', result: 'failed', says: `${version} is too old; use Node 20 or newer` };
  const hasFiles = major > 24 || (major === 24 && minor >= 16);
  return {
    what: 'node',
    result: 'ok',
    says: hasFiles ? version : `${version}; a store in a file needs 24.16 or newer`,
  };
}

/** Can the addresses be had: that for callers, and that of operators where they have one? */
export async function* checkPorts({ listen, admin }: Settings): AsyncGenerator<Check> {
  const isSecure = listen.certificate !== undefined;
  yield checkPort('port', listen, isSecure);
  if (admin === false || admin.listen.port === undefined) return;
  const own = { ...admin.listen, port: admin.listen.port };
  const { says, ...check } = await checkPort('admin port', own, isSecure);
  yield { ...check, says: says.replace(/; choose .*/, '; change admin.listen') };
}

async function checkPort(
  what: string,
  listen: Pick<Settings['listen'], 'host' | 'port'>,
  isSecure: boolean,
): Promise<Check> {
  const { host, port } = listen;
  const code = await listenOnce(host, port);
  if (code === undefined) return { what, result: 'ok', says: `${host}:${port} is free` };
  const isOurs = code === 'EADDRINUSE' && (await answers(host, port, isSecure));
  if (isOurs) return { what, result: 'ok', says: `A gateway listens on ${host}:${port} already` };
  const says = portProblem(code, listen) ?? `${host}:${port} cannot be listened on (${code})`;
  return { what, result: 'failed', says: `${says.charAt(0).toUpperCase()}${says.slice(1)}` };
}

function listenOnce(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** Whoever answers here is asked for nothing and given nothing, so it need not prove who it is. */
async function answers(host: string, port: number, isSecure: boolean): Promise<boolean> {
  const { request: ask } = await (isSecure ? import('node:https') : import('node:http'));
  const options = { host: host === '0.0.0.0' ? '127.0.0.1' : host, port, path: '/-/health', agent: false };
  return new Promise((resolve) => {
    const asked = ask({ ...options, rejectUnauthorized: false, timeout: 2000 }, (response) => {
      resolve(response.statusCode === 200);
      asked.destroy();
    });
    asked.on('error', () => resolve(false));
    asked.on('timeout', () => asked.destroy());
    asked.on('close', () => resolve(false));
    asked.end();
  });
}

/** Can the store be used? Absent where none is named, or needed. */
export async function checkStore({ store, upstreams, workers }: Settings): Promise<Check | undefined> {
  if (store.url === undefined) return workers > 1 ? checkSharedFile() : undefined;
  const what = 'store';
  try {
    if (isMissing(store.url)) return await checkNewFile(store.url);
    const opened = await openStore({ url: store.url, secret: store.secret });
    const look = async (): Promise<Health> => {
      if ([...upstreams.values()].some(isGivenCredentials)) await opened.credentials.check();
      return opened.health();
    };
    const { ok, problem, warnings } = await look().finally(() => opened.close());
    if (!ok) return { what, result: 'failed', says: problem ?? 'It cannot be used' };
    if (warnings.length > 0) return { what, result: 'warning', says: warnings.join('; ') };
    return { what, result: 'ok', says: opened.engine };
  } catch (thrown) {
    return { what, result: 'failed', says: (thrown as Error).message };
  }
}

/** Is it a store in a file that nobody has made yet? Whoever makes it owns it, and that is to be the gateway. */
export function isMissing(url: string): boolean {
  const file = storeFile(url);
  return file !== undefined && !existsSync(file);
}

/** Can the gateway make the file? Tried elsewhere, so that nothing is left here. */
async function checkNewFile(url: string): Promise<Check> {
  const folder = dirname(resolve(storeFile(url) ?? ''));
  if (!existsSync(folder)) throw new Error(`The folder ${folder} does not exist; make it, or choose another`);
  if (!isWritable(folder)) throw new Error(`The folder ${folder} cannot be written; check its permissions`);
  await tryFile();
  return { what: 'store', result: 'ok', says: 'sqlite; the gateway makes its file when it starts' };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Workers without a store share a file; absent where one can be had. */
async function checkSharedFile(): Promise<Check | undefined> {
  try {
    await tryFile();
    return undefined;
  } catch (thrown) {
    const says = `The workers cannot share what they count: ${(thrown as Error).message}`;
    return { what: 'store', result: 'failed', says };
  }
}

async function tryFile(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-doctor-'));
  try {
    const opened = await openStore({ url: `file:${join(folder, 'shared.db')}` });
    await opened.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
