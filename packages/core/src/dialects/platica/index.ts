/** Platica: every non-2xx REST answer as an execution error with its raw body. */
import type { Fault } from '../../fault.ts';
import { TRAITS } from '../../kinds.ts';
import type { Dialect, FormContext } from '../dialect.ts';
import { isOpenLimit, saysOpen, withCaution, withoutRepetition } from '../forming.ts';
import { maySay, toldBeside } from '../others-words.ts';
import { codes, workspaceRow } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

export { restError } from './reference.ts';

/** A body is the interface's, and crosses as it came; words that are nobody's body, and not ours, say no more than their kind. */
function asSaid(given: Fault, context: FormContext): Fault {
  const { foreign, said } = context;
  const isOpen = given.native?.dialect !== 'platica' && isOpenLimit(given, context);
  const fault = isOpen ? withoutRepetition(given) : given;
  const { dialect = 'mcp' } = fault.native ?? {};
  const isWritten = said !== undefined || !dialect.startsWith('mcp'); // a system's own words are for its callers
  if (foreign === undefined || isWritten || maySay(fault)) return fault;
  const { title } = TRAITS[fault.kind];
  return { ...fault, message: saysOpen(fault) ? withCaution(title, fault, context) : title };
}

/** The dialect. */
export const platica: Dialect = {
  id: 'platica',
  title: 'Platica',
  shape: 'tool result with isError and the REST body as text',
  tell: 'the status in the body’s code beside error',
  codes,
  alsoReads: [workspaceRow],
  recognise,
  read,
  write,
  places: ['protocol', 'tool'],
  unknownId: 'null',
  closed: true,
  requestKinds: true,
  asSaid,
  postOnly: true,
  keyForm: /^bearer +pl_key_[\w.~+/=-]+$/i,
  told: toldBeside,
};
