/** The onX error model: `result.error` with `{code, message, retryable, details}`. */
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { asSaid } from './open-change.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

export { AdapterError, type AdapterErrorOptions } from './adapter-error.ts';
export { category, type OnxCategory, rangeCategory } from './codes.ts';

/** The dialect. */
export const onx: Dialect = {
  id: 'onx',
  title: 'onX',
  shape: 'result.error with code, message, retryable and details',
  tell: 'error.retryable beside the code; details.originalError names the cause',
  codes,
  recognise,
  read,
  write,
  places: ['protocol', 'tool'],
  unknownId: 'null',
  requestKinds: true,
  declaresRepetition: true,
  asSaid,
};
