/**
 * The stability promise as a file: codes may be added, never renumbered, removed, or given another meaning.
 * A lock is what was promised; `checkLock` says what no longer holds.
 */
import { isRecord } from '../json.ts';
import type { Catalogue, CatalogueCode } from './catalogue.ts';
import type { CodeSource } from './sources.ts';

/** What is promised about a code. */
export interface LockedCode {
  readonly name: string;
  readonly kind: string;
  readonly subject: string | null;
  readonly retryable: boolean;
}

/** Source → code → what was promised. */
export type Lock = { readonly [source: string]: { readonly [code: string]: LockedCode } };

type Codes = Lock[string];

/** A promise that no longer holds. */
export interface Break {
  readonly source: string;
  readonly code: string;
  readonly change: 'removed' | 'renumbered' | 'changed';
  /** One sentence, for people. */
  readonly message: string;
}

/** Facts of others: we read them, we do not promise them. */
const FOREIGN: ReadonlySet<CodeSource> = new Set(['sdk-v1', 'sdk-v2', 'http', 'errno']);

/** The lock of a catalogue, in a stable order. Name the sources to lock only those. */
export function lockOf(catalogue: Pick<Catalogue, 'codes'>, only?: readonly CodeSource[]): Lock {
  const bySource = new Map<string, [string, LockedCode][]>();
  for (const entry of catalogue.codes) {
    if (FOREIGN.has(entry.source) || only?.includes(entry.source) === false) continue;
    const codes = bySource.get(entry.source) ?? [];
    codes.push([String(entry.code), promiseOf(entry)]);
    bySource.set(entry.source, codes);
  }
  return Object.fromEntries(
    [...bySource].sort(byKey).map(([source, codes]) => [source, Object.fromEntries(codes.sort(byKey))]),
  );
}

function promiseOf({ name, kind, subject, retryable }: CatalogueCode): LockedCode {
  return { name, kind, subject, retryable };
}

function byKey(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}

/** Is it a lock? */
export function isLock(value: unknown): value is Lock {
  return (
    isRecord(value) &&
    Object.values(value).every((codes) => isRecord(codes) && Object.values(codes).every(isLockedCode))
  );
}

function isLockedCode(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value['name'] === 'string' &&
    typeof value['kind'] === 'string' &&
    (typeof value['subject'] === 'string' || value['subject'] === null) &&
    typeof value['retryable'] === 'boolean'
  );
}

/** Every promise of a lock that a catalogue breaks; empty when codes were only added. */
export function checkLock(lock: Lock, catalogue: Pick<Catalogue, 'codes'>): readonly Break[] {
  const current = lockOf(catalogue);
  return Object.entries(lock).flatMap(([source, codes]) => {
    const now = Object.hasOwn(current, source) ? (current[source] ?? {}) : {};
    return Object.keys(codes)
      .map((code) => compare(source, code, codes, now))
      .filter((difference) => difference !== undefined);
  });
}

function compare(source: string, code: string, locked: Codes, now: Codes): Break | undefined {
  const was = locked[code] as LockedCode;
  const is = Object.hasOwn(now, code) ? now[code] : undefined;
  const moved = is?.name === was.name ? undefined : newCodeOf(was, locked, now);
  const said = `${source} ${code} (${was.name})`;
  if (moved !== undefined)
    return { source, code, change: 'renumbered', message: `${said} was renumbered to ${moved}` };
  if (is === undefined) return { source, code, change: 'removed', message: `${said} was removed` };
  const changes = (['name', 'kind', 'subject', 'retryable'] as const)
    .filter((member) => is[member] !== was[member])
    .map((member) => `${member} was ${was[member] ?? 'none'}, is ${is[member] ?? 'none'}`);
  if (changes.length === 0) return undefined;
  return { source, code, change: 'changed', message: `${said} changed its meaning: ${changes.join('; ')}` };
}

/** Where a name went; `undefined` when it is gone, or only lives on where it also was before. */
function newCodeOf(was: LockedCode, locked: Codes, now: Codes): string | undefined {
  const codes = Object.keys(now).filter(
    (code) =>
      now[code]?.name === was.name && !(Object.hasOwn(locked, code) && locked[code]?.name === was.name),
  );
  return codes.length === 1 ? codes[0] : undefined;
}
