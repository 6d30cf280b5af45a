/** The catalogue: every kind and every code of every dialect in one table, for docs, `explain` and tests. */
import type { Dialect } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/index.ts';
import { ERRNO_NAMES, type Errno, errnoOf } from '../errno.ts';
import { makeFault } from '../fault.ts';
import { kindOfStatus, STATUSES } from '../http-status.ts';
import {
  type Executed,
  KIND_NAMES,
  KINDS,
  type Kind,
  type KindDefaults,
  type Reaction,
  type RetryWhen,
  withoutEvidence,
} from '../kinds.ts';
import { adviceFor } from '../render/for-model.ts';
import { SDK_CODES } from '../thrown.ts';
import { type ApplicationDefinition, definitionOf, type WithDefinition } from './definition.ts';
import { KIND_PAGES, type KindPage } from './kind-pages.ts';
import { notedRows } from './notes.ts';
import { type CatalogueSource, type CodeSource, sourceOf, sourcesOf } from './sources.ts';

/** One code of one source, with everything that follows from it. */
export interface CatalogueCode {
  readonly source: CodeSource;
  readonly code: number | string;
  /** The source's own name for it. */
  readonly name: string;
  /** The message that goes with it, or its short meaning. */
  readonly title: string;
  readonly kind: Kind;
  readonly subject: string | null;
  readonly reaction: Reaction;
  readonly retryable: boolean;
  readonly when: RetryWhen;
  /** Whether the work has happened when it is said; `no` only where the source defines it as a refusal. */
  readonly executed: Executed;
  /** The HTTP status that the source ties to it, else the kind's. */
  readonly status: number;
  /** What the caller does, in one sentence that agrees with `retryable` and `when`. */
  readonly advice: string;
  /** False: understood when read, never written. */
  readonly written: boolean;
  /** The members of `data` that come with it. */
  readonly dataKeys: readonly string[];
  /** What the source's own document tells whoever meets it to do, step by step. */
  readonly steps: readonly string[];
  /** Where in a message it sits. */
  readonly shape: string;
  /** What gives it away. */
  readonly tell: string;
}

/** One kind, with its prose. */
export interface CatalogueKind extends KindDefaults, KindPage {
  readonly kind: Kind;
}

/** Everything that has a name or a number. */
export interface Catalogue {
  readonly kinds: readonly CatalogueKind[];
  readonly sources: readonly CatalogueSource[];
  readonly codes: readonly CatalogueCode[];
}

/** What to put into a catalogue beside what is always there. */
export interface CatalogueOptions {
  /** The dialects to list; all that come with the language, if absent. */
  readonly dialects?: readonly Dialect[] | undefined;
  /** Your own errors: results of `defineFault`, or plain definitions. */
  readonly application?: readonly (WithDefinition | ApplicationDefinition)[] | undefined;
}

/** Builds the catalogue. */
export function buildCatalogue(options: CatalogueOptions = {}): Catalogue {
  const { dialects = DIALECTS } = options;
  const application = (options.application ?? []).map(applicationCode);
  const sources = sourcesOf(dialects);
  return {
    kinds: KIND_NAMES.map((kind) => ({ kind, ...KINDS[kind], ...KIND_PAGES[kind] })),
    sources: sources.filter((source) => source.id !== 'application' || application.length > 0),
    codes: [
      ...application,
      ...dialectCodes(dialects),
      ...sdkV1Rows.map(complete),
      ...sdkV2(),
      ...statuses(),
      ...errnos(),
    ],
  };
}

type Known = Pick<CatalogueCode, 'source' | 'code' | 'name' | 'title' | 'kind'> &
  Partial<Pick<CatalogueCode, 'written' | 'dataKeys' | 'steps'>> & {
    /** Where they differ from the source's. */
    readonly shape?: string | undefined;
    readonly tell?: string | undefined;
    readonly subject?: string | undefined;
    readonly retryable?: boolean | undefined;
    readonly reaction?: Reaction | undefined;
    readonly status?: number | undefined;
    /** It is said before the work begins. */
    readonly refusal?: boolean | undefined;
  };

function complete(known: Known): CatalogueCode {
  const { source, code, name, title, kind, subject, written = false, dataKeys = [], steps = [] } = known;
  const fault = makeFault({
    kind,
    retryable: known.retryable,
    reaction: known.reaction,
    executed: known.refusal === true ? 'no' : withoutEvidence(kind),
  });
  return {
    source,
    code,
    name,
    title,
    kind,
    subject: subject ?? null,
    reaction: fault.reaction,
    retryable: fault.retryable,
    when: fault.retry.when,
    executed: fault.executed,
    status: known.status ?? KINDS[kind].http,
    advice: adviceFor(fault),
    written,
    dataKeys,
    steps,
    shape: known.shape ?? sourceOf(source).shape,
    tell: known.tell ?? sourceOf(source).tell,
  };
}

/** An alias has no codes of its own, and listing them twice would help nobody. */
function dialectCodes(dialects: readonly Dialect[]): readonly CatalogueCode[] {
  return dialects.filter((dialect) => dialect.aliasOf === undefined).flatMap(codesOf);
}

/** Every code of one dialect, with everything that follows from it: what the catalogue, `explain` and pages say. */
export function codesOf(dialect: Dialect): readonly CatalogueCode[] {
  const { id: source, shape = '', tell = '' } = dialect;
  return notedRows(dialect).map((row) => complete({ source, shape, tell, ...row, dataKeys: row.keys ?? [] }));
}

/** What SDK v1 says itself: in the caller's own process, or from its HTTP transport. */
const RAISED = 'an exception McpError that your own client raises; the server did not say it';
const TRANSPORT = 'an HTTP answer of a server’s SDK transport';

// biome-ignore format: a table
const sdkV1Rows: readonly Known[] = [
  { source: 'sdk-v1', code: -32001, name: 'RequestTimeout', title: 'Request timed out', kind: 'timeout', dataKeys: ['timeout'], shape: RAISED, tell: 'message “MCP error -32001: Request timed out”, data.timeout' },
  { source: 'sdk-v1', code: -32001, name: 'SessionNotFound', title: 'Session not found', kind: 'not_found', subject: 'session', shape: TRANSPORT, tell: 'HTTP status 404, the message to the letter' },
  { source: 'sdk-v1', code: -32000, name: 'ConnectionClosed', title: 'Connection closed', kind: 'disconnected', shape: RAISED, tell: 'message “MCP error -32000: Connection closed”' },
  { source: 'sdk-v1', code: -32000, name: 'TransportRejection', title: 'Bad Request: …', kind: 'invalid_request', shape: TRANSPORT, tell: 'HTTP status 400, 403, 405, 406, 409, 413 or 415, which says why' },
];

function sdkV2(): readonly CatalogueCode[] {
  return Object.entries(SDK_CODES).map(([code, { kind, subject }]) =>
    complete({ source: 'sdk-v2', code, name: code, title: sentenceCase(code), kind, subject }),
  );
}

function sentenceCase(name: string): string {
  const words = name.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function statuses(): readonly CatalogueCode[] {
  return STATUSES.map((status) => statusCode(status) as CatalogueCode);
}

/** The entry of any HTTP status from 300 to 599, also of one that nobody defined. */
export function statusCode(status: number): CatalogueCode | undefined {
  const kind = kindOfStatus(status);
  if (kind === undefined) return undefined;
  const { title } = KINDS[kind];
  return complete({ source: 'http', code: status, name: `HTTP ${status}`, title, kind, status });
}

function errnos(): readonly CatalogueCode[] {
  return ERRNO_NAMES.map((name) => {
    const { kind, unsent } = errnoOf(name) as Errno;
    return complete({ source: 'errno', code: name, name, title: KINDS[kind].title, kind, refusal: unsent });
  });
}

function applicationCode(defined: WithDefinition | ApplicationDefinition): CatalogueCode {
  const { code, name, meaning, kind, subject, retryable } = definitionOf(defined);
  return complete({
    source: 'application',
    code,
    name: name ?? String(code),
    title: meaning,
    kind,
    subject,
    retryable,
    written: true,
  });
}
