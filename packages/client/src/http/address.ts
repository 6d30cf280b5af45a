/** Where a server is, as it was given. */
import { redact } from '@mayday/core/redact';

/** More of an address that is none tells nobody which it was. */
const MAX_SHOWN = 200;

/** The address; one that is none is named, without the secrets in it. */
export function addressOf(url: string | URL): URL {
  if (URL.canParse(String(url))) return new URL(url);
  const shown = typeof url === 'string' ? JSON.stringify(redact(url.slice(0, MAX_SHOWN)).value) : typeof url;
  throw new TypeError(`Expected the address of \`httpTransport\` to be a whole URL, got ${shown}`);
}
