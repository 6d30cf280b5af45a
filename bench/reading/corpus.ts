/** Labelled answers of real servers, one a line, and the folds that no server is in two of. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Kind } from '@mayday/core';

/** What an answer really was. */
export interface Label {
  readonly failure?: false;
  readonly kind: Kind;
  /** Kinds that are as right. */
  readonly also?: readonly Kind[];
  readonly subject?: string;
  readonly retryable: boolean;
}

/** One labelled answer. */
export interface Row {
  readonly id?: string;
  readonly server: string;
  readonly case: string;
  /** Whatever `read` takes. */
  readonly wire: Wire | string;
  readonly label: Label;
  /** An error reported as a plain success, or a genuine success: for the optional detector alone. */
  readonly disguise?: 'failure' | 'success';
  /** False where the text misleads or says nothing. */
  readonly readable: boolean;
}

interface Part {
  readonly text?: string;
}

/** As much of an answer as the benches look at themselves. */
export interface Wire {
  readonly error?: { readonly code?: number; readonly message?: string };
  readonly result?: {
    readonly content?: readonly Part[];
    /** What `resources/read` answers. */
    readonly contents?: readonly Part[];
    /** What the first revision of the protocol called a tool's result. */
    readonly toolResult?: { readonly content?: readonly Part[] };
    readonly structuredContent?: unknown;
  };
  readonly http?: { readonly status: number; readonly body?: string };
}

const root = resolve(import.meta.dirname, '../..');
const fixtures = resolve(root, 'packages/core/test/fixtures/reading');

/** Answers that were gathered and labelled, and misreadings that somebody met: both are part of the repository. */
const GATHERED: string = resolve(fixtures, 'gathered.jsonl');
/** Successes that sound like failures, and failures that come as success, as people would write them. */
const WRITTEN: string = resolve(fixtures, 'written.jsonl');
/** One line for each misreading. */
const MISREAD: string = resolve(fixtures, 'misread.jsonl');
/** What services, databases, tools and languages say, typed by heart before it was read. */
const SERVICES: string = resolve(fixtures, 'services.jsonl');

/** The files that are scored: those of the repository, and the one in `MAYDAY_CORPUS`, if any. */
export function corpora(): readonly (readonly [name: string, rows: readonly Row[]])[] {
  const given = process.env['MAYDAY_CORPUS'];
  const paths = [...(given === undefined ? [] : [resolve(given)]), GATHERED, MISREAD, SERVICES, WRITTEN];
  return paths.filter((path) => existsSync(path)).map((path) => [basename(path, '.jsonl'), load(path)]);
}

/** The labelled answers of a file. */
function load(path: string): readonly Row[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** Those that the main figures are over: failures that say that they are some. Of successes the tests take care. */
export function readable(rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => row.disguise === undefined && row.readable && row.label.failure !== false);
}

/** What a person would read in an answer. */
export function textOf(wire: Wire | string): string {
  if (typeof wire === 'string') return wire;
  if (wire.http !== undefined) return wire.http.body ?? '';
  if (wire.error !== undefined) return wire.error.message ?? '';
  const { content, contents, toolResult } = wire.result ?? {};
  return (content ?? contents ?? toolResult?.content ?? []).map((part) => part.text ?? '').join('\n');
}

/** FNV-1a of a server's name: the same server is always in the same fold. */
function hashOf(server: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < server.length; i++) hash = Math.imul(hash ^ server.charCodeAt(i), 0x01000193) >>> 0;
  return hash >>> 8;
}

/** How many parts the servers are divided into. */
export const FOLDS = 5;

/** The answers of the servers in a fold, and those of all others. */
export function split<T extends { readonly server: string }>(
  rows: readonly T[],
  fold: number,
): { readonly inside: readonly T[]; readonly outside: readonly T[] } {
  return {
    inside: rows.filter((row) => hashOf(row.server) % FOLDS === fold),
    outside: rows.filter((row) => hashOf(row.server) % FOLDS !== fold),
  };
}
