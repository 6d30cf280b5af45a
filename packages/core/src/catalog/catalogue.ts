/** The catalogue: every kind and every code of every dialect in one table, for docs, `explain` and tests. */
import type { CodeRow } from '../dialects/dialect.ts';
import { REFUSALS } from '../dialects/erlmcp/codes.ts';
import { DIALECTS } from '../dialects/index.ts';
import { ERRNO_NAMES, errnoOf } from '../errno.ts';
import { makeFault } from '../fault.ts';
import { kindOfStatus, STATUSES } from '../http-status.ts';
import { KIND_NAMES, KINDS, type Kind, type KindDefaults, type Reaction, type RetryWhen } from '../kinds.ts';
import { SDK_CODES } from '../thrown.ts';
import { type ApplicationDefinition, definitionOf, type WithDefinition } from './definition.ts';
import { KIND_PAGES, type KindPage } from './kind-pages.ts';
import { type CatalogueSource, type CodeSource, SOURCES } from './sources.ts';

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
  /** False: understood when read, never written. */
  readonly written: boolean;
  /** The members of `data` that come with it. */
  readonly dataKeys: readonly string[];
  /** What gives this code away, beyond what gives away its source. */
  readonly tell: string | null;
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
  /** Your own errors: results of `defineFault`, or plain definitions. */
  readonly application?: readonly (WithDefinition | ApplicationDefinition)[];
}

/** Builds the catalogue. */
export function buildCatalogue(options: CatalogueOptions = {}): Catalogue {
  const application = (options.application ?? []).map(applicationCode);
  return {
    kinds: KIND_NAMES.map((kind) => ({ kind, ...KINDS[kind], ...KIND_PAGES[kind] })),
    sources: SOURCES.filter((source) => source.id !== 'application' || application.length > 0),
    codes: [...application, ...dialectCodes(), ...sdkV1, ...sdkV2(), ...statuses(), ...errnos()],
  };
}

type Known = Pick<CatalogueCode, 'source' | 'code' | 'name' | 'title' | 'kind'> &
  Partial<Pick<CatalogueCode, 'written' | 'dataKeys' | 'tell'>> & {
    readonly subject?: string | undefined;
    readonly retryable?: boolean | undefined;
  };

function complete(known: Known): CatalogueCode {
  const { source, code, name, title, kind, subject, written = false, dataKeys = [], tell = null } = known;
  const { reaction, retryable, retry } = makeFault({ kind, retryable: known.retryable });
  return {
    source,
    code,
    name,
    title,
    kind,
    subject: subject ?? null,
    reaction,
    retryable,
    when: retry.when,
    written,
    dataKeys,
    tell,
  };
}

/** `mcp` is an alias, and listing its codes twice would help nobody. */
function dialectCodes(): readonly CatalogueCode[] {
  return DIALECTS.filter((dialect) => dialect.id !== 'mcp').flatMap((dialect) => [
    ...dialect.codes.map((row) =>
      complete({ source: dialect.id, ...row, dataKeys: keysOf(row), tell: tellOf(dialect.id, row) }),
    ),
    ...(dialect.id === 'erlmcp' ? refusals() : []),
  ]);
}

function keysOf(row: CodeRow & { readonly keys?: readonly string[] }): readonly string[] {
  return (row.keys ?? []).filter((key) => key !== '"');
}

/** The part of a message that names this very code. */
function tellOf(dialect: string, row: CodeRow): string | null {
  const { code, name } = row;
  const byMessage = 'the message to the letter';
  if (dialect === 'closient') return `data.error_code "${name}"`;
  if (dialect === 'platica' && Number(code) > 0) return `"code": ${code} beside "error" in the body`;
  if (dialect === 'onx' && Number(code) < 0) return `a top-level error; ${byMessage}`;
  if (dialect === 'platica') return byMessage;
  if (dialect !== 'erlmcp') return null;
  const keys = keysOf(row).map((key) => `data.${key}`);
  return [byMessage, ...keys].join(', ');
}

function refusals(): readonly CatalogueCode[] {
  return Object.entries(REFUSALS).flatMap(([status, codes]) =>
    codes.map((code) =>
      complete({
        source: 'erlmcp',
        code,
        name: `refusal_${code}`,
        title: `Refusal with HTTP status ${status}`,
        kind: kindOfStatus(Number(status)) as Kind,
      }),
    ),
  );
}

/** What SDK v1 says itself: in the caller's own process, or from its HTTP transport. */
// biome-ignore format: a table
const sdkV1: readonly CatalogueCode[] = /* @__PURE__ */ [
  { source: 'sdk-v1', code: -32001, name: 'RequestTimeout', title: 'Request timed out', kind: 'timeout', dataKeys: ['timeout'], tell: 'raised by your own client, not by the server: message “MCP error -32001: Request timed out”' },
  { source: 'sdk-v1', code: -32001, name: 'SessionNotFound', title: 'Session not found', kind: 'not_found', subject: 'session', tell: 'HTTP 404 from the HTTP transport of a server on SDK v1' },
  { source: 'sdk-v1', code: -32000, name: 'ConnectionClosed', title: 'Connection closed', kind: 'disconnected', tell: 'raised by your own client, not by the server: message “MCP error -32000: Connection closed”' },
  { source: 'sdk-v1', code: -32000, name: 'TransportRejection', title: 'Bad Request: …', kind: 'invalid_request', tell: 'HTTP 400, 403, 405, 406, 409, 413 or 415 from the HTTP transport of a server; the status says why' },
].map((row) => complete(row as Known));

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
  return complete({ source: 'http', code: status, name: `HTTP ${status}`, title: KINDS[kind].title, kind });
}

function errnos(): readonly CatalogueCode[] {
  return ERRNO_NAMES.map((name) => {
    const kind = errnoOf(name)?.kind as Kind;
    return complete({ source: 'errno', code: name, name, title: KINDS[kind].title, kind });
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
