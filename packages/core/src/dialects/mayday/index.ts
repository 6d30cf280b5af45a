/** Mayday's own: the specification's form plus the whole fault document. Loses nothing. */
import { standsAlone } from '../../beside-document.ts';
import type { Dialect } from '../dialect.ts';
import { mayday as withoutEvidence } from './without-evidence.ts';

/** The dialect. */
export const mayday: Dialect = { ...withoutEvidence, standsAlone };
