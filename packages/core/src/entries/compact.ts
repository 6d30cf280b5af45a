/** A language for bundles that must be small, and dialects and parts to build it of. */
export { type CompactLanguage, type CompactOptions, createLanguage } from '../compact-language.ts';
export { mayday } from '../dialects/mayday/without-evidence.ts';
export { problem } from '../dialects/problem/without-evidence.ts';
export { lookAtHttp } from '../wire/look-at-http.ts';
