/** Problem types are URLs whose last segment is the kind, so the codes are the kinds, as in Mayday's own dialect. */
export { codes } from '../mayday/codes.ts';

/** Where the pages of the problem types live. */
export const TYPE_BASE = 'https://mayday.dev/faults/';
