/** The readers of what follows no dialect, for building a language of one's own: exceptions, HTTP, bodies, prose. */
export { foreign } from '../foreign.ts';
export { asksForPatience } from '../prose/patience.ts';
export { predicateOf } from '../prose/predicate.ts';
export { saysNo } from '../prose/said-no.ts';
export { isRefusal } from '../refusals.ts';
export { readDisguised, readUnstructured, type Weighed, weigh } from '../unstructured.ts';
export { namesTwice } from '../wire/repeating.ts';
