/** qaqnuz: five classes in an inner envelope, one sanitised text on the wire. */
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

export { classify, retryDelay } from './reference.ts';
export { TEXTS as QAQNUZ_TEXTS } from './sentences.ts';
export { envelopeFor } from './write.ts';

/** The dialect. */
export const qaqnuz: Dialect = { id: 'qaqnuz', title: 'qaqnuz', codes, recognise, read, write };
