/** Where codes come from, and how a message of each looks: what tells two meanings of one number apart. */
import type { Dialect, DialectId } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/index.ts';

/** Who defines a code: a dialect, an SDK, HTTP, the operating system, or your own application. */
export type CodeSource = DialectId | 'sdk-v1' | 'sdk-v2' | 'http' | 'errno' | 'application';

/** One source of codes. */
export interface CatalogueSource {
  readonly id: CodeSource;
  readonly title: string;
  /** Where in a message the failure sits. */
  readonly shape: string;
  /** What gives it away. */
  readonly tell: string;
}

// biome-ignore format: a table
const FOREIGN: readonly CatalogueSource[] = [
  { id: 'sdk-v1', title: 'TypeScript SDK v1', shape: 'an exception McpError in your own client, or an answer of the HTTP transport', tell: 'the message to the letter' },
  { id: 'sdk-v2', title: 'TypeScript SDK v2', shape: 'an exception SdkError in your own client, with a string code', tell: 'never on the wire: the other end did not say it' },
  { id: 'http', title: 'HTTP', shape: 'the status of an HTTP response', tell: 'a number from 300 to 599 as status, or used as a code' },
  { id: 'errno', title: 'system error', shape: 'the code of an exception or of its cause', tell: 'upper-case letters, from Node, undici or the C library' },
  { id: 'application', title: 'your application', shape: 'the name of a fault', tell: 'name, in every dialect that has a place for one' },
];

/** All sources, dialects first. Another name of a dialect has no entry of its own. */
export function sourcesOf(dialects: readonly Dialect[]): readonly CatalogueSource[] {
  const spoken = dialects
    .filter((dialect) => dialect.aliasOf === undefined)
    .map(({ id, title, shape = '', tell = '' }) => ({ id, title, shape, tell }));
  return [...spoken, ...FOREIGN];
}

/** The source of that name, among those of some dialects: all that come with the language, if absent. */
export function sourceOf(id: CodeSource, dialects: readonly Dialect[] = DIALECTS): CatalogueSource {
  const known = sourcesOf(dialects).find((source) => source.id === id);
  return known ?? { id, title: id, shape: '', tell: '' };
}
