/** erlmcp: top-level JSON-RPC errors with 118 codes of its own. */
import type { Fault } from '../../fault.ts';
import type { Dialect, FormContext } from '../dialect.ts';
import { isOpenLimit, withoutRepetition } from '../forming.ts';
import { codes, refusals } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

export * from './reference.ts';

/** What the document's sample client waits after a rate limit that names no time. */
const USUAL_WAIT_MS = 30_000;

/** The document's clients wait -32010 out: of another server's limit, thrown on by a tool that may have worked, only the failure is told. */
function asSaid(fault: Fault, context: FormContext): Fault {
  if (context.handedOn !== true || !isOpenLimit(fault, context)) return fault;
  const { native: _theirs, ...rest } = withoutRepetition(fault);
  return rest;
}

/** The dialect. */
export const erlmcp: Dialect = {
  id: 'erlmcp',
  title: 'erlmcp',
  shape: 'top-level error with code, message and data',
  tell: 'the message to the letter, and the members of data',
  codes,
  alsoReads: refusals,
  recognise,
  read,
  write,
  places: ['protocol'],
  unknownId: 'null',
  asSaid,
  initializeFirst: true,
  messageBytes: 16 * 1024 * 1024,
  keepsCapabilities: true,
  refusesRevisions: true,
  usualWaitMs: (kind) => (kind === 'rate_limited' ? USUAL_WAIT_MS : undefined),
};
