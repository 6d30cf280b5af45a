/** The readers of what follows no dialect, for bundles that must be small: exceptions, HTTP, bodies, and what most servers say. */
import type { Heard } from '../dialects/dialect.ts';
import { compactReader } from '../prose/compact.ts';
import type { Wire } from '../wire/wire.ts';
import { wordsReader } from '../words-reader.ts';

export { foreign } from '../foreign.ts';

/**
 * What the body or the text of a wire says in the words that most servers use, in English. It knows less than that of
 * `@mayday/core/prose`: it reads a part of its phrases, no looks at whole sentences, no numbers of services and no things of
 * the application's own.
 */
export const readUnstructured: (wire: Wire) => Heard | undefined = /* @__PURE__ */ wordsReader(compactReader);
