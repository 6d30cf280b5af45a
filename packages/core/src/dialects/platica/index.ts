/** Platica: every non-2xx REST answer as an execution error with its raw body. */
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

export { restError } from './reference.ts';

/** The dialect. */
export const platica: Dialect = { id: 'platica', title: 'Platica', codes, recognise, read, write };
