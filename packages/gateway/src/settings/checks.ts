/** What one setting means for another. */
import { isIPv4 } from 'node:net';
import { nearest } from '../nearest.ts';
import type { Report } from './problems.ts';
import type { Settings } from './settings.ts';

/** Keys that cannot be told apart, or are for upstreams that are not there. No key is ever named by its secret. */
export function checkKeys({ keys, upstreams, virtual }: Settings, report: Report): void {
  const names = new Map<string, number>();
  const secrets = new Map<string, number>();
  for (const [i, { name, key, upstreams: only }] of keys.entries()) {
    if (name !== undefined && names.has(name))
      report(['keys', i, 'name'], 'Another key has this name; names tell callers apart');
    const twin = key === undefined ? undefined : secrets.get(key);
    if (twin !== undefined)
      report(['keys', i, 'key'], `The same as the key at position ${twin + 1}; every caller needs its own`);
    names.set(name, i);
    secrets.set(key, i);
    // That there are no upstreams has been told.
    for (const [j, wanted] of (upstreams.size === 0 ? [] : (only ?? [])).entries()) {
      if (upstreams.has(wanted) || virtual.has(wanted)) continue;
      const known = [...upstreams.keys(), ...virtual.keys()];
      const close = nearest(wanted, known);
      const hint = close === undefined ? `known are ${known.join(', ')}` : `did you mean ${close}?`;
      report(['keys', i, 'upstreams', j], `There is no such upstream; ${hint}`);
    }
  }
}

/** Nobody can listen twice on one port. */
export function checkAdmin({ admin, listen }: Settings, report: Report): void {
  const port = adminPort(admin);
  if (port === undefined || port === 0 || port !== listen.port) return;
  report(
    ['admin', 'listen', 'port'],
    'The same as listen.port; leave it out to have both at one port, or choose another',
  );
}

/** A door that is open wider than its owner may think. */
export function checkListen({ listen, admin, keys, oauth, store }: Settings, warn: Report): void {
  const isClosed = keys.length > 0 || oauth.issuers.length > 0;
  // What is in a store is known when the gateway starts.
  if (isClosed || store.url !== undefined) return;
  if (!isLoopback(listen.host))
    warn(
      ['listen', 'host'],
      'Whoever reaches this address can call every upstream; add keys, or listen on 127.0.0.1',
    );
  if (admin !== false && adminPort(admin) !== undefined && !isLoopback(admin.listen.host))
    warn(
      ['admin', 'listen', 'host'],
      'Whoever reaches this address can read the status and the faults; add keys, or listen on 127.0.0.1',
    );
}

/** What could not be read has been told. */
function adminPort(admin: Settings['admin'] | undefined): number | undefined {
  return admin === false ? undefined : admin?.listen?.port;
}

/** Is it an address that only this machine reaches? */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}
