/** RFC 9457 problem documents over HTTP. */
import { standsAlone } from '../../beside-document.ts';
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

export { TYPE_BASE } from './codes.ts';

/** The dialect. */
export const problem: Dialect = {
  id: 'problem',
  title: 'RFC 9457 problem document',
  shape: 'HTTP response with application/problem+json',
  tell: 'the media type; members type, title, status',
  codes,
  recognise,
  read,
  write,
  standsAlone,
  places: ['http'],
};
