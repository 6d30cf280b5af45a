/** The onX error model: `result.error` with `{code, message, retryable, details}`. */
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

export { category, type OnxCategory, rangeCategory } from './codes.ts';

/** The dialect. */
export const onx: Dialect = { id: 'onx', title: 'onX error model', codes, recognise, read, write };
