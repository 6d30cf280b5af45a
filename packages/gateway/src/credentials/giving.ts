/** What one server gets of each caller's own: the header, or the refusal of whoever has none. */
import type { FaultInit } from '@mayday/core';
import type { Give, Given } from '@mayday/relay';
import type { UpstreamSettings } from '../settings/settings.ts';
import type { CredentialDesk } from './desk.ts';

/** How credentials of callers reach one server. */
export interface Giving {
  /** The header in which they are sent, in lower case. */
  readonly header: string;
  readonly give: Give;
  /** Is anything asked of the server itself for this method? */
  concerns(method: string): boolean;
}

/** What giving needs. */
interface GivingOptions {
  /** Absent where there is no store. */
  readonly desk: CredentialDesk | undefined;
  /** Tells the operator. */
  readonly note: (text: string) => void;
}

/** Does this server get credentials of callers? */
export function isGivenCredentials(settings: UpstreamSettings): boolean {
  return settings.type !== 'command' && settings.callerCredentials.header !== undefined;
}

/** How credentials reach this server; `undefined` where it gets none. */
export function createGiving(settings: UpstreamSettings, { desk, note }: GivingOptions): Giving | undefined {
  const wanted = settings.type === 'command' ? undefined : settings.callerCredentials;
  if (wanted?.header === undefined) return undefined;
  const { name: upstream, type } = settings;
  const header = wanted.header.toLowerCase();
  const before = prefixOf(header, wanted.scheme);
  const without: Given = { headers: { [header]: '' } };

  const given = (caller: string, secret: string | undefined): Given => {
    if (secret !== undefined) return { headers: { [header]: `${before}${secret}` } };
    return wanted.required ? { refused: hasNone(caller, upstream) } : without;
  };
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = (error: unknown): void => {
    if (performance.now() - toldAt < SELDOM_MS) return;
    toldAt = performance.now();
    note(`a credential cannot be looked up: ${error instanceof Error ? error.message : 'the store failed'}`);
  };
  const failed = (error: unknown): Given => {
    const { problem } = Object(error) as { readonly problem?: unknown };
    const isForGood = problem === 'unusable' || problem === 'unsupported';
    tell(error);
    return { refused: isForGood ? unopened(upstream) : unasked(upstream) };
  };
  return {
    header,
    concerns: (method) => type !== 'openapi' || method === 'tools/call',
    give(caller) {
      if (caller === undefined) return wanted.required ? { refused: nameless(upstream) } : without;
      if (desk === undefined) return { refused: unopened(upstream) };
      const found = desk.find({ caller, upstream });
      return found instanceof Promise
        ? found.then((secret) => given(caller, secret), failed)
        : given(caller, found);
    },
  };
}

/** How often the same is said while it lasts. */
const SELDOM_MS = 60_000;

/** In place of a scheme: there is none. */
const NONE = 'none';

function prefixOf(header: string, scheme: string | undefined): string {
  const said = scheme ?? (header === 'authorization' ? 'Bearer' : NONE);
  return said === NONE ? '' : `${said} `;
}

function hasNone(caller: string, upstream: string): FaultInit {
  const named = /^[\w.:@-]+$/.test(caller) ? caller : `'${caller.replaceAll("'", `'\\''`)}'`;
  return {
    ...common('unauthenticated', upstream),
    message: `${upstream} needs a credential of ${caller}, and there is none`,
    advice: `Ask whoever runs the gateway for it: \`mayday credentials set ${named} ${upstream}\`.`,
  };
}

function nameless(upstream: string): FaultInit {
  return {
    ...common('unauthenticated', upstream),
    message: `${upstream} needs a credential of its caller, and nobody knows who calls`,
    advice: 'Call with a key or an access token of this gateway; ask whoever runs it for one.',
  };
}

function unasked(upstream: string): FaultInit {
  return {
    ...common('unavailable', upstream),
    message: `The credential for ${upstream} cannot be looked up now`,
  };
}

function unopened(upstream: string): FaultInit {
  return {
    ...common('misconfigured', upstream),
    message: `The credential for ${upstream} cannot be opened`,
    advice: 'Tell whoever runs the gateway; its log says why.',
  };
}

function common<K extends FaultInit['kind']>(kind: K, upstream: string) {
  return { kind, origin: 'gateway', executed: 'no', subject: { type: 'upstream', id: upstream } } as const;
}
