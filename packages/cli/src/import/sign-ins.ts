/**
 * Servers that a client signs in to by itself: the gateway does not, so that they would serve nobody behind it. Entries say
 * so, or the server does when it is asked without a credential.
 */
import { parseDocument } from './document.ts';
import { type EntryParts, entryParts, isOverHttp } from './entry-parts.ts';
import { isObject, sectionsOf } from './sections.ts';

/** Why such a server stays with its client. */
export const SIGNED_IN_TO =
  'the client signs in to it, which the gateway does not do; with a token under headers it could be imported';

/** Fields by which clients are told how to sign in. */
const LOGINS = ['oauth', 'auth', 'authProviderType', 'headersHelper'];

/** Does the entry say that the client signs in? */
export function saysSignIn({ others }: Pick<EntryParts, 'others'>): boolean {
  return LOGINS.some((field) => {
    const value = others[field];
    return isObject(value) ? Object.keys(value).length > 0 : Boolean(value) && value !== 'none';
  });
}

/** The addresses in a client’s file whose entries have no credential: each may want to be signed in to. */
export function openAddresses(text: string, cwd: string): readonly string[] {
  const document = parseDocument(text);
  if (document.problems.length > 0) return [];
  const [section] = sectionsOf(document.value, cwd);
  return (section?.servers ?? []).flatMap(({ value, isOff }) => {
    if (!isObject(value) || isOff) return [];
    const parts = entryParts(value);
    const { url, headers, isOff: isOwnOff } = parts;
    const hasHeaders = isObject(headers) && Object.keys(headers).length > 0;
    return !isOwnOff && !hasHeaders && isOverHttp(parts) && isPlainAddress(url) ? [url] : [];
  });
}

/** Is nothing in it left to be filled in? */
function isPlainAddress(url: unknown): url is string {
  return typeof url === 'string' && /^https?:\/\/[^\s${}]+$/i.test(url) && URL.canParse(url);
}

/** How long a server may take to say it: an import waits for no longer. */
const ASKING_MS = 3000;

const OPENING = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'mayday-import', version: '1.0.0' },
  },
});

/** Those of the addresses that want to be signed in to. Whoever cannot be asked in time is not among them. */
export async function closedAmong(addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const asked = [...new Set(addresses)].map(async (url) => ((await isClosed(url)) ? [url] : []));
  return new Set((await Promise.all(asked)).flat());
}

async function isClosed(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: OPENING,
      redirect: 'manual', // wherever that leads was not named by the user
      signal: AbortSignal.timeout(ASKING_MS),
    });
    const isRefused = response.status === 401 && response.headers.has('www-authenticate');
    await response.body?.cancel();
    return isRefused;
  } catch {
    return false; // an import is possible without a network
  }
}
