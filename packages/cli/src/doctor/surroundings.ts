/** What a gateway needs around it: Node, its port, its store. */
import { get as getOverHttp } from 'node:http';
import { get as getOverHttps } from 'node:https';
import { createServer } from 'node:net';
import process from 'node:process';
import type { Settings } from '@mayday/gateway';
import { openStore } from '@mayday/store';
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
  const operators = { ...admin.listen, port: admin.listen.port };
  const { says, ...check } = await checkPort('admin port', operators, isSecure);
  yield { ...check, says: says.replace(/; choose .*/, '; change admin.listen') };
}

type Address = Pick<Settings['listen'], 'host' | 'port'>;

async function checkPort(what: string, listen: Address, isSecure: boolean): Promise<Check> {
  const { host, port } = listen;
  const code = await listenOnce(host, port);
  if (code === undefined) return { what, result: 'ok', says: `${host}:${port} is free` };
  const isOurs = code === 'EADDRINUSE' && (await answers(listen, isSecure));
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

/** Whose certificate it is does not matter: nothing is told there. */
function answers({ host, port }: Address, isSecure: boolean): Promise<boolean> {
  const get = isSecure ? getOverHttps : getOverHttp;
  const name = host === '0.0.0.0' ? '127.0.0.1' : host;
  const where = { host: name, port, path: '/-/health', agent: false, rejectUnauthorized: false };
  return new Promise((resolve) => {
    const asked = get({ ...where, signal: AbortSignal.timeout(2000) }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('error', () => resolve(false));
  });
}

/** Can the store be used? Absent where none is named. */
export async function checkStore({ store }: Settings): Promise<Check | undefined> {
  if (store.url === undefined) return undefined;
  const what = 'store';
  try {
    const opened = await openStore(store.url);
    const { ok, problem, warnings } = await opened.health().finally(() => opened.close());
    if (!ok) return { what, result: 'failed', says: problem ?? 'It cannot be used' };
    if (warnings.length > 0) return { what, result: 'warning', says: warnings.join('; ') };
    return { what, result: 'ok', says: opened.engine };
  } catch (thrown) {
    return { what, result: 'failed', says: (thrown as Error).message };
  }
}
