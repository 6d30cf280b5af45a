/** What GraphQL says of a query. Whoever wrote it has to mend it: the caller, or the server. */
import { look } from './look.ts';
import { textsIn } from './sent.ts';

const BEFORE = '^(?:\\[GraphQL\\] |Request failed due to following response errors:\\s*- |GraphQL error: )?';

/** How the query is written. */
const WRITTEN = new RegExp(
  `${BEFORE}(?:${[
    'Cannot query field "',
    'Unknown (?:argument|type|fragment|directive) "[^"\\n]{1,100}"(?: on |\\.)',
    'Field "[^"\\n]{1,100}" (?:of type "[^"\\n]{1,100}" must|must not|argument "[^"\\n]{1,100}" of type)',
    'Variable "\\$[\\w]{1,100}" (?:of (?:required )?type|is (?:not defined|never used)|is of type)',
    'Syntax Error: ',
    'Fragment "',
    'Must provide (?:an? )?(?:query string|operation name)',
    "Field '[^'\\n]{1,100}' (?:doesn't exist on type|in type '[^'\\n]{1,100}' is undefined)",
    "field '[^'\\n]{1,100}' not found in type",
    'Validation error \\(\\w{1,60}@\\[',
  ].join('|')})`,
);
const VALUE = new RegExp(
  `${BEFORE}Variable "\\$\\w{1,100}" got invalid value ("[^"\\n]{0,500}"|[\\w.-]{1,60})`,
);

/** Whose it is; `undefined` when nothing is said of a query. */
export function ofGraphql(words: string, sent: unknown): 'caller' | 'server' | undefined {
  const value = VALUE.exec(words)?.[1];
  if (value !== undefined) return textsIn(sent).includes(value.replaceAll('"', '')) ? 'caller' : 'server';
  if (!WRITTEN.test(words)) return undefined;
  return textsIn(sent).some(isQuery) || isNamedQuery(sent) ? 'caller' : 'server';
}

/** `{ me { name } }`, `query Me { … }`. */
function isQuery(text: string): boolean {
  return /^\s*(?:(?:query|mutation|subscription|fragment)\b[^{}]{0,1000})?\{\s*(?:#|\.\.\.|[A-Za-z_])/.test(
    text,
  );
}

/** A query that is misspelt is none to look at. */
function isNamedQuery(sent: unknown): boolean {
  return ['query', 'graphql', 'mutation', 'document', 'operation'].some((name) => {
    const value = look(sent, name);
    return typeof value === 'string' && value.includes('{');
  });
}
