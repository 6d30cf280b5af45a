/** What a server says as part of no call, at its own endpoint: as far as rules let it, and in the dialect of whoever hears it. */
import type { Listening, Mending, Path } from '@mayday/relay';
import { type Access, NO_RULES } from '../access/rules.ts';
import { type TellWithin, tellingWithin } from '../access/tell-within.ts';
import { closingFor } from './close-beside.ts';
import type { DialectChoice } from './dialects.ts';
import type { ToolHints } from './tool-hints.ts';

/** Everything to everybody, where neither is there. */
interface TellingOptions {
  readonly access?: Access | undefined;
  readonly dialects?: DialectChoice | undefined;
}

/** How it may reach whoever listens. */
export function tellingAlone(
  upstream: string,
  { access = NO_RULES, dialects }: TellingOptions,
  hints: Pick<ToolHints, 'wasListed'>,
): NonNullable<Path['mendFor']> {
  const telling = tellingWithin(access, upstream, hints);
  return (visit, listener) =>
    closedLast(listener, telling, dialects && closingFor(visit, upstream, dialects));
}

/** Apart, so that it holds nothing of the visit. */
function closedLast(
  listener: () => Listening,
  telling: TellWithin,
  close: ((message: Buffer) => Buffer) | undefined,
): Mending {
  return (message) => {
    const told = telling(message, listener());
    return told === undefined || close === undefined ? told : close(told);
  };
}
