/** What somebody is told who asks for something by a name that nothing has. */
import type { FaultInit } from '@mayday/core';
import { nearest } from '../nearest.ts';

/** Of what somebody else wrote, this much is repeated. */
const MAX_SHOWN = 100;

/** No tool is called so. */
export function unknownTool(name: string, known: readonly string[]): FaultInit {
  const close = nearest(name, known);
  const shown = name.slice(0, MAX_SHOWN);
  return {
    kind: 'not_found',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'tool', id: shown },
    message: `Unknown tool: ${shown}`,
    advice: close === undefined ? undefined : `Did you mean ${close}?`,
  };
}
