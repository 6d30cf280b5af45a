/** erlmcp: top-level JSON-RPC errors with 118 codes of its own. */
import type { Dialect } from '../dialect.ts';
import { codes } from './codes.ts';
import { read } from './read.ts';
import { recognise } from './recognise.ts';
import { write } from './write.ts';

export * from './reference.ts';

/** The dialect. */
export const erlmcp: Dialect = { id: 'erlmcp', title: 'erlmcp', codes, recognise, read, write };
