/** What somebody is told who may not use something. */
import { type Fault, makeFault } from '@mayday/core';
import { type Failed, refuse } from '@mayday/policy';
import type { Use } from './uses.ts';

/** The policy that refuses, as outcomes name it. */
export const BY = 'access';

/** The use is denied, or scopes are missing for it. */
export function denied({ type, name }: Use, missing: readonly string[]): Failed<never> {
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
  return refuse({ fault, by: BY });
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
