/** The dialect for bundles that must be small: it does not look whether a fault document stands alone. */
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

/** RFC 9457, but for what proves that nothing was done. */
export const problem: Omit<Dialect, 'standsAlone'> = {
  id: 'problem',
  title: 'RFC 9457 problem document',
  shape: 'HTTP response with application/problem+json',
  tell: 'the media type; members type, title, status',
  codes,
  recognise,
  read,
  write,
  places: ['http'],
};
