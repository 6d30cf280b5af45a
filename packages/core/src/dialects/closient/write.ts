import type { Fault, Json } from '../../fault.ts';
import { toSeconds } from '../../http-status.ts';
import { dotted } from '../../issue-path.ts';
import { TRAITS } from '../../kinds.ts';
import { cautioned } from '../../render/caution.ts';
import { forModel } from '../../render/for-model.ts';
import { resultResponse, textContent } from '../answers.ts';
import type { WriteContext, Written } from '../dialect.ts';
import { advisesAgainst, withoutRepetition } from '../forming.ts';
import { pickRow } from '../rows.ts';
import { type ClosientRow, codeFor, codes } from './codes.ts';
import { isNewCode } from './read.ts';

/** `result.error` with a problem document, plus `isError` and a text so that standard clients see a failure. */
export function write(fault: Fault, context: WriteContext): Written {
  const problem = problemFor(fault, context.now);
  const code = isNewCode(fault) ? fault.native?.code : rowFor(fault).code;
  const error = { code: code as number, message: problem['title'] as string, data: problem };
  return resultResponse(context, { error, isError: true, content: textContent(forModel(asSaid(fault))) });
}

/** "Backoff" in the document's words, and ours about what a repetition can do. */
const BACK_OFF = 'Unexpected failure in the server; back off, then try again.';

/**
 * The document tells its clients to back off and retry an unexpected server error, whatever we think of it: what is
 * not known better goes out that way, in the member and in the text, and the difference is a loss. They repeat whatever
 * is said to be retryable; what has happened never is.
 */
export function asSaid(fault: Fault): Fault {
  const { kind, executed, retryable, reaction, native, advice } = fault;
  if (executed === 'yes' && retryable) return withoutInvitation(fault);
  if ((kind !== 'internal' && kind !== 'unknown') || executed === 'yes' || retryable) return fault;
  // Who said so in Closient's own words, or advises against it, has decided otherwise.
  const isDecided = reaction !== TRAITS[kind].reaction || native?.dialect === 'closient';
  if (isDecided || advisesAgainst(fault)) return fault;
  const said: Fault = {
    ...fault,
    reaction: 'retryable',
    retryable: true,
    retry: { ...fault.retry, when: 'backoff' },
  };
  return advice === undefined ? cautioned({ ...said, advice: BACK_OFF }) : said;
}

/** Not to be done again, in the words either; other advice stays. */
function withoutInvitation(fault: Fault): Fault {
  const { advice } = fault;
  const told = withoutRepetition(fault);
  return advice === undefined || /\bagain\b/i.test(advice) ? told : { ...told, advice };
}

/** The problem document: what REST returns as `application/problem+json`. */
export function problemFor(fault: Fault, now: number): { [key: string]: Json } {
  const row = rowFor(fault);
  const { native } = fault;
  const isSaid = isNewCode(fault) || (native?.dialect === 'closient' && native.code === row.code);
  const said = isSaid ? native?.extra : undefined;
  const problem: { [key: string]: Json } = {
    type: `https://closient.com/docs/errors/${row.name}`,
    title: row.title,
    status: row.kind === fault.kind ? row.status : TRAITS[fault.kind].http,
    detail: fault.message,
    error_code: row.name,
    retryable: asSaid(fault).retryable,
    timestamp: fault.timestamp ?? timestamp(now),
    ...said,
  };
  if (fault.retry.afterMs !== undefined && problem['retryable'] === true)
    problem['retry_after'] = toSeconds(fault.retry.afterMs);
  if (fault.issues.length > 0) {
    problem['errors'] = fault.issues.map(({ path, message, code }) => ({
      field: dotted(path),
      message,
      ...(code === undefined ? {} : { code }),
    }));
  }
  for (const [key, value] of Object.entries(fault.details ?? {}))
    if (!Object.hasOwn(problem, key)) problem[key] = value;
  return problem;
}

function rowFor(fault: Fault): ClosientRow {
  const nearest = codes.find((row) => row.code === codeFor(fault.kind));
  return (pickRow(codes, fault, 'closient') ?? nearest) as ClosientRow;
}

/** ISO 8601 with a numeric offset and whole seconds. */
function timestamp(now: number): string {
  return new Date(now).toISOString().replace(/\.\d{3}Z$/, '+00:00');
}
