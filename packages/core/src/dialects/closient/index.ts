/** Closient: `result.error` with an RFC 9457 problem document in `data`. */
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

export { classOf } from './codes.ts';
export { closientProblem, closientWait } from './reference.ts';

/** The dialect. */
export const closient: Dialect = { id: 'closient', title: 'Closient', codes, recognise, read, write };
