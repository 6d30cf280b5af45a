/** RFC 9457 problem documents over HTTP. */
import { standsAlone } from '../../beside-document.ts';
import type { Dialect } from '../dialect.ts';
import { problem as withoutEvidence } from './without-evidence.ts';

export { TYPE_BASE } from './codes.ts';

/** The dialect. */
export const problem: Dialect = { ...withoutEvidence, standsAlone };
