/** What is bundled, what each may weigh, and what it is meant to weigh one day. */

/** One bundle. Sizes are in kilobytes, gzipped. */
export interface Entry {
  readonly name: string;
  /** What it is meant to weigh. */
  readonly goal?: number | undefined;
  /** What it must not weigh more than: somewhat more than it does. */
  readonly limit?: number | undefined;
  readonly source: string;
}

/** The dialects by their paths, what those export, and what each may weigh in a compact language. */
const DIALECTS: readonly (readonly [path: string, name: string, limit: number])[] = [
  ['closient', 'closient', 14],
  ['onx', 'onx', 14.3],
  ['erlmcp', 'erlmcp', 15],
  ['qaqnuz', 'qaqnuz', 12.1],
  ['platica', 'platica', 14.8],
  ['mcp', 'mcp', 15.3],
  ['problem', 'problem', 11.5],
  ['tool-failure', 'toolFailure', 16.1],
  ['mayday', 'mayday', 12.6],
];

/** The dialects that `/compact` has without their look for evidence. */
const LIGHTER: ReadonlySet<string> = new Set(['mayday', 'problem']);

const exported = (made: string): string => `export const { read, write } = createLanguage(${made});`;

const FULL = `import { createLanguage } from '@mayday/core';`;
const COMPACT = `import { createLanguage, lookAtHttp as http, mayday } from '@mayday/core/compact';`;
const WORDS = `import { foreign, readUnstructured as prose } from '@mayday/core/prose/compact';`;
const ALL = `import { DIALECTS as dialects } from '@mayday/core/dialects';`;
const MCP = `import { mcp } from '@mayday/core/dialects/mcp';`;
const REDACT = `import { redactFault as redact } from '@mayday/core/redact/compact';`;
const SECRETS = `import { redactFaultSecrets as redact } from '@mayday/core/redact/compact';`;

/** All of it, with everything that `npm install` brings. */
const WHOLE: readonly Entry[] = [
  {
    name: 'read + write, all dialects',
    goal: 25,
    limit: 53.5,
    source: `${FULL} ${ALL} import { foreign } from '@mayday/core/prose'; ${exported('{ dialects, foreign }')}`,
  },
  { name: 'what every dialect shares', limit: 11.9, source: `${FULL} ${exported('{ dialects: [] }')}` },
  ...DIALECTS.map(([path, name]) => alone(path, name)),
  { name: 'fault constructors alone', limit: 5.1, source: `export { fault } from '@mayday/core';` },
  { name: 'redact alone', source: `export { redact } from '@mayday/core/redact';` },
  {
    name: 'read + write with prose and redaction',
    goal: 45,
    source: `export { read, write } from '@mayday/core';`,
  },
];

/** What the compact paths weigh. */
const SMALL: readonly Entry[] = [
  {
    name: 'compact: all dialects',
    goal: 25,
    limit: 44.6,
    source: `${COMPACT} ${ALL} ${exported('{ dialects, http }')}`,
  },
  {
    name: 'compact: what every dialect shares',
    limit: 8.8,
    source: `${COMPACT} ${exported('{ dialects: [] }')}`,
  },
  ...DIALECTS.map(([path, name, limit]) => compactAlone(path, name, limit)),
  {
    name: 'compact: read, prose',
    limit: 28,
    source: `${COMPACT} ${WORDS} ${exported('{ dialects: [], prose }')}`,
  },
  {
    name: 'compact: read + write, mcp and mayday, prose, exceptions, HTTP',
    limit: 43,
    source: `${COMPACT} ${WORDS} ${MCP} ${exported('{ dialects: [mayday, mcp], foreign, prose, http }')}`,
  },
  {
    name: 'compact: redactSecrets',
    limit: 30.5,
    source: `export { redactSecrets } from '@mayday/core/redact/compact';`,
  },
  { name: 'compact: redact', limit: 40, source: `export { redact } from '@mayday/core/redact/compact';` },
  {
    name: 'compact: read, prose, redactSecrets',
    goal: 45,
    limit: 58.5,
    source: `${COMPACT} ${WORDS} ${SECRETS} ${exported('{ dialects: [], prose, redact }')}`,
  },
  {
    name: 'compact: read, prose, redact',
    goal: 45,
    limit: 67.5,
    source: `${COMPACT} ${WORDS} ${REDACT} ${exported('{ dialects: [], prose, redact }')}`,
  },
  {
    name: 'compact: read + write, mcp and mayday, prose, exceptions, HTTP, redact',
    goal: 45,
    limit: 82,
    source: `${COMPACT} ${WORDS} ${MCP} ${REDACT} ${exported('{ dialects: [mayday, mcp], foreign, prose, http, redact }')}`,
  },
];

/** All of them. */
export const ENTRIES: readonly Entry[] = [...WHOLE, ...SMALL];

function alone(path: string, name: string): Entry {
  const source = `${FULL} import { ${name} } from '@mayday/core/dialects/${path}'; ${exported(`{ dialects: [${name}] }`)}`;
  return { name: `read + write, ${path} alone`, goal: 8, source };
}

function compactAlone(path: string, name: string, limit: number): Entry {
  const from = LIGHTER.has(path) ? '@mayday/core/compact' : `@mayday/core/dialects/${path}`;
  const source = `import { createLanguage } from '@mayday/core/compact'; import { ${name} } from '${from}'; ${exported(`{ dialects: [${name}] }`)}`;
  return { name: `compact: read + write, ${path} alone`, goal: 8, limit, source };
}
