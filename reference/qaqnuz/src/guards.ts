/** What a call must pass, beside the key and the limits. */
import { type FaultError, fault, type Issue } from '@mayday/core';
import { type Guard, scopes } from '@mayday/server';
import type { Store } from './store/index.ts';
import { brandOf } from './store/keys.ts';
import { TOOLS } from './tools.ts';

/** Brands that have not booked the platform call nothing. */
export function entitlement(store: Store): Guard {
  return {
    name: 'entitlement',
    before({ principal }) {
      if (!store.keys.isEntitled(brandOf(principal)))
        throw fault.forbidden('Your plan does not include the tool platform.');
    },
  };
}

/** One answer for a tool that is unknown, disabled, sensitive or out of scope. The list of tools looks for itself: no key is asked of it. */
export function reach(): Guard {
  const tools = Object.entries(TOOLS);
  const { hides: _hides, ...guard } = scopes({
    opaque: true,
    sensitive: tools.filter(([, tool]) => tool.reach === 'sensitive').map(([name]) => name),
    required: Object.fromEntries(tools.map(([name, tool]) => [name, [tool.scope]])),
  });
  return guard;
}

/** Keeps who called, for the handler. */
export function remember(principals: Map<string | number, string>): Guard {
  return {
    name: 'remember',
    before: ({ id, principal = '' }) => void principals.set(id, principal),
    after: ({ id }) => void principals.delete(id),
  };
}

const MAX_TEXT = 500;

/** Every issue is in the text: nothing else crosses the wire. */
export function invalidArguments(issues: readonly Issue[]): FaultError {
  const said = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  return fault.invalidArguments(`Invalid arguments. ${said.join('; ').slice(0, MAX_TEXT)}`);
}
