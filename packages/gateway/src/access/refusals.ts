/** What somebody is told who may not use something. */
import { type Executed, type Fault, makeFault } from '@mayday/core';
import { cautioned } from '@mayday/core/render';
import { type Failed, refuse } from '@mayday/policy';
import type { Caller, Wire } from '@mayday/relay';
import { bearerChallenge } from '../identity/oauth/challenge.ts';
import type { Verdict } from './rules.ts';
import type { Use } from './uses.ts';

/** The policy that refuses, as outcomes name it. */
export const BY = 'access';

/** A use that is not allowed. */
type Denial = Extract<Verdict, { readonly isAllowed: false }>;

/** The use is denied, or scopes are missing for it. */
export function denied({ type, name }: Use, { missing, needed }: Denial, by: Caller): Failed<Wire> {
  const subject = { type, id: name };
  const common = { kind: 'forbidden', origin: 'gateway', executed: 'no', subject } as const;
  const fault =
    missing.length === 0
      ? makeFault({
          ...common,
          message: `You may not use the ${type} ${name}`,
          advice: 'Do not try again; ask whoever runs the gateway for access.',
        })
      : makeFault({
          ...common,
          message: `The ${type} ${name} needs ${missing.length === 1 ? 'a scope' : 'scopes'} that you do not have: ${missing.join(', ')}`,
          details: { required_scopes: missing },
          advice: 'Ask for access with these scopes, then call again.',
        });
  return { ...refuse({ fault, by: BY }), value: stepUp(missing, needed, by) };
}

/** Whoever came with a token can ask its issuer for one that may do this, and has to be told where: by the status. */
function stepUp(missing: readonly string[], scopes: readonly string[], by: Caller): Wire | undefined {
  const { metadataUrl } = by;
  if (missing.length === 0 || metadataUrl === undefined) return undefined;
  const challenge = bearerChallenge({ metadataUrl, scopes, error: 'insufficient_scope' });
  return { type: 'nothing', status: 403, headers: { 'www-authenticate': challenge } };
}

/** Nobody serves it: in whose words, is said by those who know what callers call it. */
export function notServed(): Failed<never> {
  return refuse({ fault: makeFault({ kind: 'not_found', origin: 'gateway', executed: 'no' }), by: 'shape' });
}

/** A refusal of a call that may have been made before, under its key. */
export function asExecuted<T extends Failed<Wire>>(refusal: T, executed: Executed): T {
  return executed === 'no' ? refusal : { ...refusal, fault: cautioned({ ...refusal.fault, executed }) };
}

/** The same to the letter, whatever the reason. */
export function unavailable({ type }: Pick<Use, 'type'>, reason: string): Failed<never> {
  const fault: Fault = makeFault({
    kind: 'forbidden',
    origin: 'gateway',
    executed: 'no',
    message: `This ${type} is not available for your key.`,
  });
  return refuse({ fault, by: BY, opaque: true, reason });
}
