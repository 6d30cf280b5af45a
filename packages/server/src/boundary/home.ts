/**
 * Which server a request was sent to, among all of a process. Stateless servers are made anew for each request, so it
 * cannot be told by the instance: it is told by what the server calls itself, and by the address it was reached at.
 */
import { headerOf } from '../call.ts';
import type { Extra, ServerLike } from '../shapes.ts';
import { endpointNumber } from './endpoints.ts';
import { addressOf } from './sender.ts';
import { wholePathOf } from './whole-path.ts';

/** What a server calls itself. */
export interface Identity {
  readonly name: string;
  readonly version: string;
}

/**
 * What a server calls itself. Neither SDK says it in public before a client asks; where one stops saying it this way,
 * the address alone tells servers apart.
 */
export function identityOf(low: ServerLike): Identity {
  const { name, version } = Object(Reflect.get(low, '_serverInfo')) as Partial<Identity>;
  return { name: String(name ?? ''), version: String(version ?? '') };
}

/** Where a request was sent to, in this process. */
export function homeOf({ name, version }: Identity, extra: Extra | undefined): string {
  const host = (headerOf(extra, 'host') ?? addressOf(extra)?.host ?? '').toLowerCase();
  return JSON.stringify([name, version, host, pathOf(extra), endpointNumber()]);
}

/** Where a request was sent to, for all processes: they have hosts of their own, and are not renewed all at once. */
export function sharedHomeOf({ name }: Identity, extra: Extra | undefined): string {
  return JSON.stringify([name, pathOf(extra)]);
}

function pathOf(extra: Extra | undefined): string {
  return plainly(wholePathOf(addressOf(extra)?.pathname ?? ''));
}

/** Letters and digits mean the same in `%` and hexadecimal, whose digits are the same in capitals. */
function plainly(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (code) => {
    const said = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(said) ? said : code.toUpperCase();
  });
}
