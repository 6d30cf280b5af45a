/** Errors that an application throws with a status of its own: `http-errors`, `HTTPException`, Boom. */
import { FaultError, KINDS, type Kind, makeFault } from '@mayday/core';
import { kindOfStatus, parseRetryAfter } from '@mayday/core/http';
import { redact } from '@mayday/core/redact';
import { isRecord, look } from '../words/look.ts';

/** A fault, and what HTTP says beside it. */
export interface SpokenStatus {
  readonly thrown: FaultError;
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
}

/** Headers that belong to an error's status. */
const KEPT = ['allow', 'retry-after', 'www-authenticate'];

/** What such an error says; `undefined` for everything else, an HTTP client's error among it. */
export function spokenStatus(reason: unknown, now: number): SpokenStatus | undefined {
  if (!isRecord(reason) || isOfClient(reason)) return undefined;
  const output = look(reason, 'output'); // Boom's
  const status = look(reason, 'status') ?? look(reason, 'statusCode') ?? look(output, 'statusCode');
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 599)
    return undefined;
  const kind = kindOfStatus(status) as Kind;
  const headers = keptHeaders(look(reason, 'headers') ?? look(output, 'headers'), now);
  const message = isForCaller(reason, status) ? String(look(reason, 'message') ?? '') : KINDS[kind].title;
  const afterMs = parseRetryAfter(headers['retry-after'], now);
  const retry = afterMs === undefined ? undefined : { afterMs };
  return { thrown: new FaultError(makeFault({ kind, message, retry }), { cause: reason }), status, headers };
}

/** An error of axios, got or their kin speaks of somebody else's status. */
function isOfClient(reason: object): boolean {
  return ['response', 'request', 'config', '$metadata'].some((name) => look(reason, name) !== undefined);
}

/** `expose` says whether the words are for the caller; without it, those of the caller's mistakes are. */
function isForCaller(reason: object, status: number): boolean {
  const exposed = look(reason, 'expose');
  return typeof exposed === 'boolean' ? exposed : status < 500;
}

function keptHeaders(headers: unknown, now: number): { readonly [name: string]: string } {
  if (!isRecord(headers)) return {};
  const kept: { [name: string]: string } = {};
  for (const given of Object.keys(headers)) {
    const name = given.toLowerCase();
    const value = String(look(headers, given));
    if (!KEPT.includes(name) || !/^[^\r\n]{1,500}$/.test(value)) continue;
    if (name === 'retry-after' && parseRetryAfter(value, now) === undefined) continue;
    kept[name] = withoutSecrets(value);
  }
  return kept;
}

/** What a client has to send back in an answer to a digest challenge looks like a secret, and is none. */
const SENT_BACK = /((?:nonce|opaque)="[^"]*")/i;

function withoutSecrets(value: string): string {
  const parts = value.split(SENT_BACK);
  return parts.map((part) => (SENT_BACK.test(part) ? part : redact(part).value)).join('');
}
