/** The dialect for bundles that must be small: it does not look whether a fault document stands alone. */
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

/** Mayday's own dialect, but for what proves that nothing was done. */
export const mayday: Omit<Dialect, 'standsAlone'> = {
  id: 'mayday',
  title: 'Mayday',
  shape: 'tool result with isError, or top-level error with the document in data',
  tell: '_meta["dev.mayday/fault"], or error.data with kind and reaction',
  codes,
  recognise,
  read,
  write,
  extendsProtocol: true,
  classifies: true,
  carriesDocument: true,
  places: ['protocol', 'tool'],
  unknownId: 'absent',
};
