/** What is mutated, and which tests can notice it. */
import { globSync } from 'node:fs';

/** A part of the sources. */
export interface Area {
  readonly name: string;
  readonly sources: readonly string[];
  /** Tried only when it is named: the tests that can notice are a whole suite. */
  readonly isLong?: boolean;
  /** The tests that can notice, the nearest first. */
  tests(file: string): readonly string[];
}

const CORE = 'packages/core';
/** What holds the tables: the promise of the catalogue, and the page of each kind. */
const PINS: readonly string[] = [
  `${CORE}/src/dialects/tables.test.ts`,
  `${CORE}/src/catalog/{lock,catalogue}.test.ts`,
  'test/fault-pages.test.ts',
  `${CORE}/src/foreign.test.ts`,
];
/** What holds the dialects, whichever it is. */
const LAWS: readonly string[] = [
  `${CORE}/src/dialects/{recognise,tables,forms}.test.ts`,
  `${CORE}/test/{losses,open,executed,executed-law}.test.ts`,
  `${CORE}/test/{laws,form}.test.ts`,
];

function own(file: string): string {
  return file.replace(/\.ts$/, '.test.ts');
}

function beside(file: string): string {
  return `${file.slice(0, file.lastIndexOf('/'))}/*.test.ts`;
}

/** What several dialects share is held by the tests of each. */
function ofDialect(file: string): readonly string[] {
  const isShared = /\/dialects\/[^/]*$/.test(file);
  return [beside(file), `${CORE}/src/dialects/${isShared ? '*/*' : 'facts'}.test.ts`];
}

const DIALECT_TABLES = `${CORE}/src/dialects/*/{codes,steps,sentences,reference,identifiers}.ts`;

/** What only a process of its own shows: what is done to its streams, at its ends, and where nobody waits. */
const IN_PROCESSES: { readonly [file: string]: readonly string[] } = {
  'stdin-tap': ['stdio', 'stdio-end'],
  drain: ['stdio', 'stdio-end'],
  'warm-up': ['stdio', 'stdio-end'],
  strays: ['strays'],
  'last-resort': ['strays', 'rejecting-hooks'],
  rejecting: ['rejecting-hooks'],
};

/** The kit's tests, without those of processes that do not concern a file: they take minutes. */
function ofTheKit(file: string): readonly string[] {
  const own = IN_PROCESSES[/([\w-]+)\.ts$/.exec(file)?.[1] ?? ''] ?? [];
  const others = new Set(
    Object.values(IN_PROCESSES)
      .flat()
      .filter((name) => !own.includes(name)),
  );
  return matching(['packages/server/test/*.test.ts']).filter(
    (test) => !others.has(test.replace(/^.*\/|\.test\.ts$/g, '')),
  );
}

const OF_THE_LANGUAGE: readonly Area[] = [
  {
    name: 'tables',
    sources: [
      DIALECT_TABLES,
      `${CORE}/src/{kinds,http-status,errno}.ts`,
      `${CORE}/src/catalog/{catalogue,code-range,definition,lock,look-up,sources}.ts`,
    ],
    tests: (file) =>
      file.includes('/dialects/') ? [beside(file), ...PINS] : [own(file), ...PINS, beside(file)],
  },
  {
    name: 'dialects',
    sources: [
      `${CORE}/src/dialects/**/{answers,beside,choose,form,forming,forms,index,read,recognise,rows,write,sanitize,not-found,open-change,adapter-error}.ts`,
    ],
    tests: (file) =>
      /\/(?:form|choose|open-change)/.test(file)
        ? [...ofDialect(file), ...LAWS, 'packages/server/test/{forms,dialects,dialect-problems}.test.ts']
        : [...ofDialect(file), ...LAWS],
  },
  {
    name: 'plan',
    sources: [`${CORE}/src/plan/*.ts`],
    tests: (file) => [beside(file)],
  },
  {
    name: 'guards',
    sources: ['packages/server/src/guards/*.ts', 'packages/policy/src/admission/*.ts'],
    tests: (file) => [
      own(file),
      beside(file),
      'packages/server/test/{guards,idempotency,idempotency-keys,keys-first,opaque,caller-deadline,guard}.test.ts',
      'packages/policy/src/check.test.ts',
      'packages/policy/test/laws.test.ts',
    ],
  },
  {
    name: 'boundary',
    isLong: true,
    sources: ['packages/server/src/boundary/*.ts'],
    tests: (file) => [
      beside(file),
      'packages/server/test/{guard,validation,forms,defects,dialects,v1,leaks,executed,words}.test.ts',
      ...ofTheKit(file),
    ],
  },
];

/** The rules of a reference server: what it checks, refuses and counts, not how it is started. */
function reference(name: string): Area {
  return {
    name,
    sources: [`reference/${name}/src/**/*.ts`],
    tests: (file) => [
      own(file),
      `reference/${name}/{src,test}/**/*.test.ts`,
      `reference/${name}/acceptance/*.test.ts`,
    ],
  };
}

/** Everything that is mutated. */
export const AREAS: readonly Area[] = [
  ...OF_THE_LANGUAGE,
  ...['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'].map(reference),
];

/** Starts programs and prints usage: no rule in it. */
const STARTS = /\/(?:main|users-command|operator)\.ts$/;

/** The files of an area, in the order of their names. */
export function sourcesOf(area: Area): string[] {
  return matching(area.sources).filter((file) => !file.endsWith('.test.ts') && !STARTS.test(file));
}

/** The tests that can notice a change of a file, the nearest first. */
export function testsOf(area: Area, file: string): string[] {
  return [...new Set(area.tests(file).flatMap((pattern) => matching([pattern])))];
}

function matching(patterns: readonly string[]): string[] {
  return [...new Set(globSync([...patterns]))].sort();
}
