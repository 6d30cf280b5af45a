/** Platica: every non-2xx REST answer as an execution error with its raw body. */
import type { Dialect } from '../dialect.ts';
import { titleIn } from '../rows.ts';
import { codes, workspaceRow } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

export { restError } from './reference.ts';

/** Protocol errors have fixed words; an execution error says what the REST interface said. */
const PROTOCOL = codes.filter((row) => Number(row.code) < 0 && row.refusal === true);

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
  postOnly: true,
  keyForm: /^bearer +pl_key_[\w.~+/=-]+$/i,
  words: (kind, subject) => titleIn(PROTOCOL, kind, subject),
};
