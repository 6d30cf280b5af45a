import { issuesFrom } from '../../document.ts';
import { type Fault, waitSeconds } from '../../fault.ts';
import { kindOfStatus } from '../../http-status.ts';
import {
  isRecord,
  own,
  ownBoolean,
  ownInteger,
  ownNumber,
  ownRecord,
  ownString,
  pickJson,
  type Unknown,
} from '../../json.ts';
import type { Kind } from '../../kinds.ts';
import type { Wire } from '../../wire/wire.ts';
import { saysMore } from '../beside.ts';
import type { Heard } from '../dialect.ts';
import { byCode } from '../rows.ts';
import { type ClosientClass, type ClosientRow, classOf, codeFor, codes } from './codes.ts';

const rows = /* @__PURE__ */ byCode('closient', codes);

/** What a code that does not exist yet means, from its class alone. */
const KIND_OF_CLASS: { readonly [C in ClosientClass]: Kind } = {
  transport: 'forbidden',
  validation: 'invalid_request',
  business: 'conflict',
  internal: 'internal',
};

/** Members of the problem document that have a canonical place; all others are extensions. */
const KNOWN: ReadonlySet<string> = new Set([
  'type',
  'title',
  'status',
  'detail',
  'error_code',
  'retryable',
  'timestamp',
  'retry_after',
  'errors',
]);

function isExtension(key: string): boolean {
  return !KNOWN.has(key);
}

/** The problem document: in `error.data`, or as a REST body of its own. */
export function problemIn(wire: Wire): Unknown | undefined {
  if (wire.error !== undefined) return isRecord(wire.error.data) ? wire.error.data : undefined;
  return isRecord(wire.body) ? wire.body : undefined;
}

/** A failing result, a JSON-RPC error or a REST body, all with the same problem document. */
export function read(wire: Wire): Heard | undefined {
  const problem = problemIn(wire);
  const code = wire.error?.code ?? rowNamed(ownString(problem, 'error_code'))?.code;
  if (typeof code !== 'number') return readRest(wire);
  const known = rows.get(code);
  const row = known?.row;
  const family = classOf(code);
  if (row === undefined && (family === undefined || !isOfClosient(wire, problem))) return undefined;
  const status = ownInteger(problem, 'status');
  const kind = kindOf(row, family as ClosientClass, status);
  const seconds = ownNumber(problem, 'retry_after') ?? ownNumber(problem, 'retry_after_seconds');
  const refusal = row?.refusal === true && isUsual(row, status) && isOwnForm(wire);
  return {
    kind,
    message: ownString(problem, 'detail') ?? wire.error?.message ?? wire.text,
    retryable: ownBoolean(problem, 'retryable') ?? row?.retryable,
    refusal,
    saysMore: refusal ? (saysMore(problem, isExtension) ?? isOfAnother(row, problem)) : undefined,
    retry: waitSeconds(seconds),
    issues: issuesFrom(own(problem, 'errors') ?? own(problem, 'details')),
    timestamp: ownString(problem, 'timestamp'),
    details: pickJson(problem, isExtension),
    native: row === undefined ? newNative(code, problem) : nativeOf(code, row, status),
    placement: wire.placement === 'protocol' && wire.id === undefined ? 'tool' : wire.placement,
    certainty: row === undefined ? 0.7 : 0.98,
    evidence: known?.evidence ?? [
      { by: 'code', says: `${code} in class ${family}`, dialect: 'closient', kind },
    ],
  };
}

/**
 * Is it said where Closient says it, with its document in `error.data`? A number quoted in a text is anybody's, and a
 * document in a tool's text or structured content is what some other tool heard from Closient in the middle of its work.
 */
function isOwnForm({ error, result }: Wire): boolean {
  return isRecord(error?.data) && (result === undefined || ownRecord(result, 'error') !== undefined);
}

/** Is the page that it names the page of some other failure? */
function isOfAnother(row: ClosientRow | undefined, problem: Unknown | undefined): true | undefined {
  const page = ownString(problem, 'type')?.replaceAll('-', '_');
  const isOwn =
    row === undefined || page === undefined || page === 'about:blank' || page.endsWith(`/${row.name}`);
  return isOwn ? undefined : true;
}

/** REST answers field errors with 422, the tools with 400: the same failure. Any other status is doubt. */
function isUsual({ name, status: own }: ClosientRow, status: number | undefined): boolean {
  return status === undefined || status === own || (name === 'validation_error' && status === 422);
}

/**
 * A status other than the class's own says what exactly it was, among what is written under that code: 504 under
 * `internal_error` is a timeout, 413 under `bad_request` is too large. 404 is neither: the code is what counts.
 */
function kindOf(row: ClosientRow | undefined, family: ClosientClass, status: number | undefined): Kind {
  const kind = row?.kind ?? KIND_OF_CLASS[family];
  const exactly = status === undefined || status === row?.status ? undefined : kindOfStatus(status);
  if (exactly === undefined) return kind;
  const code = codeFor(exactly);
  return (row === undefined ? classOf(code) === family : code === row.code) ? exactly : kind;
}

/** A status that is not the class's own (REST answers field errors with 422) is repeated by the writer. */
function nativeOf(code: number, row: ClosientRow, status: number | undefined): NonNullable<Heard['native']> {
  const usual = status === undefined || status === row.status;
  return usual ? { dialect: 'closient', code } : { dialect: 'closient', code, extra: { status } };
}

/** Others have numbers of their own in these ranges: one that is new stands where Closient says it, or in its document. */
function isOfClosient({ result }: Wire, problem: Unknown | undefined): boolean {
  if (ownRecord(result, 'error') !== undefined) return true;
  return ['type', 'title', 'error_code'].some((name) => ownString(problem, name) !== undefined);
}

/** New codes come into the ranges: what one is called stands beside it, and nowhere else. */
function newNative(code: number, problem: Unknown | undefined): NonNullable<Heard['native']> {
  const extra = pickJson(problem, (key) => NAMES.has(key));
  return extra === undefined ? { dialect: 'closient', code } : { dialect: 'closient', code, extra };
}

const NAMES: ReadonlySet<string> = new Set(['type', 'title', 'status', 'error_code']);

/** Is it a code that this table does not know, and does the fault still mean what it means? */
export function isNewCode({ kind, native }: Fault): boolean {
  const { dialect, code, extra } = native ?? {};
  if (dialect !== 'closient' || typeof code !== 'number' || rows.has(code)) return false;
  const family = classOf(code);
  return family !== undefined && kindOf(undefined, family, ownInteger(extra, 'status')) === kind;
}

function rowNamed(name: string | undefined): ClosientRow | undefined {
  return codes.find((row) => row.name === name);
}

/** The other REST envelope: `{"error": {"code": "NOT_FOUND", "message", "status", "details"}}`. */
function readRest(wire: Wire): Heard | undefined {
  const error = ownRecord(wire.body, 'error');
  const name = ownString(error, 'code')?.toLowerCase();
  const row = rowNamed(name);
  if (error === undefined || row === undefined) return undefined;
  return {
    kind: row.kind,
    message: ownString(error, 'message'),
    retryable: row.retryable,
    issues: issuesFrom(own(error, 'details')),
    certainty: 0.8,
    evidence: [{ by: 'code', says: `REST error ${row.name}`, dialect: 'closient', kind: row.kind }],
  };
}
