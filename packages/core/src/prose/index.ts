/** The reader of failures that follow no dialect: prose, and bodies in the forms of other systems. */

export { readBody, readProse, weighBody, weighProse } from './all-prose.ts';
export { detectDisguised } from './disguised.ts';
export type { ProseContext, ProseEvidence, ProseReading } from './types.ts';
export type { Finding } from './verdict.ts';
