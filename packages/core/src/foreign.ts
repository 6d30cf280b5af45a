/**
 * Failures that follow no dialect: exceptions, HTTP responses, bodies and prose. Structure is asked first,
 * prose last; a number alone is never believed.
 */

import type { Evidence, Foreign, Heard, ReadContext } from './dialects/dialect.ts';
import { issuesFrom } from './document.ts';
import { type Issue, waitMs } from './fault.ts';
import { waitFromData } from './hints.ts';
import {
  allowsIssues,
  isUsedUp,
  kindOfStatus,
  STATUSES,
  waitFromHeaders,
  waitFromReset,
} from './http-status.ts';
import { own } from './json.ts';
import { type Kind, TRAITS } from './kinds.ts';
import { readLocal, readThrown } from './thrown.ts';
import { leavesToNumber } from './vague.ts';
import { lookAtThrown } from './wire/thrown.ts';
import { waitBehind } from './wire/wait-behind.ts';
import type { HttpPart, Wire } from './wire/wire.ts';

/** Reads what no dialect recognised; `undefined` when nothing is known. */
export function readForeign(wire: Wire, context: ReadContext): Heard | undefined {
  const proven = strongest([readThrown(wire), readIssues(wire), readStatus(wire), readStatusAsCode(wire)]);
  // What an exception's class or code proves, its prose cannot take back; a body may sharpen a status.
  if (wire.thrown !== undefined && proven !== undefined) return withWaitBehind(proven, wire, context);
  const said = context.prose(wire);
  const heard = strongest([proven, said]);
  if (heard === undefined) return undefined;
  const named =
    heard.issues === undefined && said?.issues !== undefined ? { ...heard, issues: said.issues } : heard;
  return wire.thrown === undefined ? named : withWaitBehind(named, wire, context);
}

/** Libraries keep the wait that an interface asked for in places of their own; some say it in words alone. */
function withWaitBehind(heard: Heard, wire: Wire, context: ReadContext): Heard {
  if (heard.retry?.afterMs !== undefined || !WAITING.has(heard.kind)) return heard;
  const now = context.now();
  const inHeaders = wire.http === undefined ? undefined : waitFromHeaders(wire.http.headers, now);
  const behind = inHeaders ?? waitBehind(wire.thrown, wire.body, now);
  const retry = behind === undefined ? waitInWords(heard.kind, wire, context) : waitMs(behind);
  return retry === undefined ? heard : { ...heard, retry: { ...heard.retry, ...retry } };
}

/** The wait that the words name, where they are about the same thing. */
function waitInWords(kind: Kind, wire: Wire, context: ReadContext): Heard['retry'] {
  const said = context.prose(wire);
  return said?.kind === kind && said.retry?.afterMs !== undefined ? said.retry : undefined;
}

const WAITING: ReadonlySet<Kind> = new Set<Kind>([
  'rate_limited',
  'overloaded',
  'unavailable',
  'quota_exhausted',
]);

/** Both layers for a language: the SDKs' own failures first, everything else last. */
export const foreign: Foreign = {
  thrown: lookAtThrown,
  local: readLocal,
  read: readForeign,
  candidate: statusCandidate,
  withWait,
};

function strongest(readings: readonly (Heard | undefined)[]): Heard | undefined {
  return readings.reduce((a, b) => ((b?.certainty ?? 0) > (a?.certainty ?? 0) ? b : a), undefined);
}

/** What validators hand back, as a list or inside an error. */
function readIssues(wire: Wire): Heard | undefined {
  const issues =
    issuesFrom(wire.body) ??
    issuesFrom(own(wire.body, 'issues')) ??
    issuesFrom(own(wire.thrown, 'issues')) ??
    issuesFrom(own(wire.error?.data, 'issues'));
  if (issues === undefined || !mayBeValidators(issues, wire)) return undefined;
  return {
    kind: 'invalid_arguments',
    message: wire.text || issues.map((issue) => issue.message).join('; '),
    issues,
    certainty: 0.9,
    evidence: [
      { by: 'issues', says: `a list of ${issues.length} validation issues`, kind: 'invalid_arguments' },
    ],
  };
}

/** Beside a status a list is a validator's only if the status lets it, and if it says where something is wrong. */
function mayBeValidators(issues: readonly Issue[], { http, thrown }: Wire): boolean {
  const status = http?.status;
  if (status === undefined || kindOfStatus(status) === undefined) return true;
  // What a status proves of an exception, no body takes back; 400 proves nothing.
  const lets = thrown === undefined ? allowsIssues(status) : status === 400;
  return lets && issues.some((issue) => issue.path.length > 0);
}

function readStatus(wire: Wire): Heard | undefined {
  const status = wire.http?.status;
  const usual = status === undefined ? undefined : kindOfStatus(status);
  if (wire.http === undefined || usual === undefined) return undefined;
  // GitHub and others refuse those who are too fast with 403; the headers tell.
  const kind = usual === 'forbidden' && isUsedUp(wire.http.headers) ? 'rate_limited' : usual;
  return {
    kind,
    message: wire.text || `HTTP ${status} ${TRAITS[kind].title}`,
    // Servers answer 400 to nearly everything; the text, where there is one, knows better.
    certainty: status === 400 ? 0.5 : 0.85,
    evidence: [{ by: 'status', says: `HTTP status ${status}`, kind }],
  };
}

/** An HTTP status used as a code, beside a message that says nothing, is a number like any other. */
function statusCandidate({ error }: Wire): Evidence | undefined {
  const code = error?.code;
  if (code === undefined || !STATUSES.includes(code)) return undefined;
  const kind = kindOfStatus(code) as Kind;
  return { by: 'candidate', says: `${code} means “${TRAITS[kind].title}” as an HTTP status`, kind };
}

/** Some servers use HTTP statuses as JSON-RPC codes. */
function readStatusAsCode(wire: Wire): Heard | undefined {
  const code = wire.error?.code;
  if (code === undefined || !STATUSES.includes(code) || leavesToNumber(wire.text, code)) return undefined;
  const kind = kindOfStatus(code) as Kind;
  return {
    kind,
    message: wire.text,
    retry: waitMs(waitFromData(wire.error?.data)),
    certainty: 0.7,
    evidence: [{ by: 'code', says: `${code} is an HTTP status used as a code`, kind }],
  };
}

function withWait(heard: Heard, http: HttpPart, context: ReadContext): Heard {
  if (heard.retry?.afterMs !== undefined) return heard;
  const now = context.now();
  const limited = heard.kind === 'rate_limited' || heard.kind === 'overloaded';
  const afterMs =
    waitFromHeaders(http.headers, now) ?? (limited ? waitFromReset(http.headers, now) : undefined);
  return afterMs === undefined ? heard : { ...heard, retry: { ...heard.retry, afterMs } };
}
