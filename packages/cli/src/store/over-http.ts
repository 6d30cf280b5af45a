/** The admin API of a gateway that runs, from afar. */
import { harmless } from '../style.ts';
import { Unreachable, UsageError } from '../usage-error.ts';
import type { Said, SaidFault } from './said.ts';

/** A question to a gateway. */
interface Question {
  /** Where its admin API is. */
  readonly root: URL;
  /** The key of an operator. */
  readonly key: string | undefined;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object | undefined;
}

const ROOT = '/-/admin/v1';
const PATIENCE_MS = 30_000;

/** Where the admin API of a gateway is. */
export function rootOf(url: string): URL {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new UsageError('--url needs the address of a gateway, such as http://127.0.0.1:7350');
  const parsed = new URL(url);
  if (parsed.username !== '' || parsed.password !== '')
    throw new UsageError('--url takes no password; put the key of an operator into MAYDAY_KEY');
  const path = parsed.pathname.replace(/\/+$/, '');
  return new URL(`${parsed.origin}${path.endsWith(ROOT) ? path : `${path}${ROOT}`}`);
}

/** Asks it. */
export async function askGateway<T>({ root, key, method, path, body }: Question): Promise<Said<T>> {
  const response = await fetch(`${root.href}${path}`, {
    method,
    redirect: 'manual', // the key is for this gateway
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      ...(key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
  }).catch((error: unknown) => {
    throw whyNot(root.origin, codeOf(error));
  });
  const said = await response.json().catch(() => undefined);
  if (response.ok && typeof said === 'object' && said !== null) return { ok: true, body: said as T };
  return { ok: false, fault: faultIn(said, response.status, root) };
}

function whyNot(origin: string, code: string): UsageError {
  if (/CERT|VERIFY/.test(code))
    return new UsageError(
      `the certificate of ${origin} was not accepted (${code}); name the file of who vouches for it in NODE_EXTRA_CA_CERTS`,
    );
  const message = `no gateway answers at ${origin} (${code}); check --url`;
  return code === 'bad port' ? new UsageError(message) : new Unreachable(message);
}

/** What is no problem document was not said by a gateway. */
function faultIn(said: unknown, status: number, root: URL): SaidFault {
  const { kind, detail, advice, subject } = Object(said) as { readonly [name: string]: unknown };
  if (typeof kind !== 'string' || typeof detail !== 'string')
    throw new UsageError(
      `what answers at ${root.origin} (${status}) is no gateway with an admin API; check --url`,
    );
  const { type, id } = Object(subject) as { readonly [name: string]: unknown };
  return {
    status,
    kind,
    message: harmless(detail),
    advice: status === 401 ? NO_KEY : typeof advice === 'string' ? harmless(advice) : undefined,
    subject: typeof type === 'string' ? { type, id: typeof id === 'string' ? id : undefined } : undefined,
  };
}

const NO_KEY = 'Put the key of an operator into MAYDAY_KEY.';

function codeOf(error: unknown): string {
  const { cause, name } = Object(error) as {
    readonly cause?: { readonly code?: unknown; readonly message?: unknown };
    readonly name?: string;
  };
  return String(cause?.code ?? cause?.message ?? name ?? 'no answer');
}
