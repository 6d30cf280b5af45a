/** Mayday's own: the specification's form plus the whole fault document. Loses nothing. */
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

export { META_KEY } from './read.ts';

/** The dialect. */
export const mayday: Dialect = { id: 'mayday', title: 'Mayday', codes, recognise, read, write };
