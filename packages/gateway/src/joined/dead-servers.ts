/** Servers that are known not to come, for the user of a client that shows nothing of them. */
import type { WireOutcome } from '@mayday/relay';
import { cleanStart } from '../clean-cut.ts';
import type { Part } from './part.ts';

/** One that failed, and with what. */
export interface Dead {
  readonly part: Pick<Part, 'name' | 'clean'>;
  readonly outcome: WireOutcome;
}

/** Instructions are read by every conversation: the reason is enough, and whoever calls the server is told the rest. */
const MAX_REASON = 240;

/** One sentence for the model, which is the only one that reads it; none where nobody is dead. */
export function aboutDead(dead: readonly Dead[]): string | undefined {
  const told = dead.flatMap(({ part, outcome }) =>
    outcome.ok ? [] : [`${part.name} (${reasonOf(outcome.fault.message, part)})`],
  );
  return told.length === 0 ? undefined : `${TELL}: ${told.join('; ')}.`;
}

const TELL = 'Missing here; tell the user when they are needed';

function reasonOf(message: string, part: Dead['part']): string {
  const said = cleanStart(message, MAX_REASON, (text) => part.clean(text).replaceAll(/\s+/g, ' '));
  return said.length < MAX_REASON ? said.replace(/\.$/, '') : `${said.slice(0, MAX_REASON - 1)}…`;
}
