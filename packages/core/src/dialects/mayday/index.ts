/** Mayday's own: the specification's form plus the whole fault document. Loses nothing. */
import { standsAlone } from '../../beside-document.ts';
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

/** The dialect. */
export const mayday: Dialect = {
  id: 'mayday',
  title: 'Mayday',
  shape: 'tool result with isError, or top-level error with the document in data',
  tell: '_meta["dev.mayday/fault"], or error.data with kind and reaction',
  codes,
  recognise,
  read,
  write,
  standsAlone,
  extendsProtocol: true,
  classifies: true,
  carriesDocument: true,
  places: ['protocol', 'tool'],
  unknownId: 'absent',
};
