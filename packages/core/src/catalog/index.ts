/** The catalogue of kinds and codes, and the lock that keeps it stable. */
export {
  buildCatalogue,
  type Catalogue,
  type CatalogueCode,
  type CatalogueKind,
  type CatalogueOptions,
  codesOf,
} from './catalogue.ts';
export { type CodeRange, rangeOf } from './code-range.ts';
export type { ApplicationDefinition, WithDefinition } from './definition.ts';
export { happenedBy } from './happened.ts';
export type { KindPage } from './kind-pages.ts';
export { type Break, checkLock, isLock, type Lock, type LockedCode, lockOf } from './lock.ts';
export { type Found, lookUp, termsOf } from './look-up.ts';
export { type CatalogueSource, type CodeSource, sourceOf } from './sources.ts';
