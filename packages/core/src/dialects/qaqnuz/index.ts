/** qaqnuz: five classes in an inner envelope, one sanitised text on the wire. */
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { envelopeIn, read } from './read.ts';
import { recognise } from './recognise.ts';
import { told } from './sanitize.ts';
import { write } from './write.ts';

export {
  type CallWithRetryOptions,
  callWithRetry,
  type ToolCaller,
  type ToolResult,
} from './call-with-retry.ts';
export { classify, envelopeFor, retryDelay, sanitize } from './reference.ts';
export { TEXTS } from './sentences.ts';

/** The dialect. */
export const qaqnuz: Dialect = {
  id: 'qaqnuz',
  title: 'qaqnuz',
  shape: 'an envelope {error_class, sanitized_error, retry_hint}; on the wire only its text',
  tell: 'error_class; without the envelope only the sentence',
  codes,
  recognise,
  read,
  write,
  places: ['tool'],
  unknownId: 'null',
  closed: true,
  oneRefusal: true,
  fails: (wire) => envelopeIn(wire) !== undefined,
  failureMarks: ['"error_class"'],
  told,
};
