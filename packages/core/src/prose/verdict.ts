/** Collects what the layers found and lets the strongest decide. */
import type { Subject } from '../fault.ts';
import { isRetryable, type Kind, TRAITS } from '../kinds.ts';
import type { ProseEvidence, ProseReading } from './types.ts';

/** One finding of one layer. */
export interface Finding {
  readonly by: string;
  readonly kind: Kind;
  /** 0…100. */
  readonly weight: number;
  readonly says: string;
  readonly never?: boolean | undefined;
  /** The same call may do soon, whatever its kind; weaker than `never`. */
  readonly again?: boolean | undefined;
  readonly subject?: Subject | undefined;
  readonly status?: number | undefined;
  /** A list of what is wrong with the input. */
  readonly listed?: boolean | undefined;
}

/** The strongest finding, and what speaks against it. */
export interface Verdict {
  readonly best: Finding;
  readonly certainty: number;
  readonly evidence: readonly ProseEvidence[];
}

/** From here on a cause speaks for itself. */
export const PLAIN = 60;

/** How far behind the best a finding still casts doubt on it. */
const DOUBT = 8;
/** Evidence is for people: the best first, and a few more. */
const SHOWN = 4;

/** Lets the strongest finding decide; of two equal ones, the one that does not ask for a retry. */
export function decide(findings: readonly Finding[]): Verdict | undefined {
  let best: Finding | undefined;
  for (const finding of findings) if (best === undefined || stronger(finding, best)) best = finding;
  if (best === undefined) return undefined;
  let certainty = best.weight / 100;
  const evidence: ProseEvidence[] = [];
  let { subject, status, again } = best;
  let agreed = false;
  let doubted = false;
  for (const finding of findings) {
    if (finding === best) {
      evidence.unshift({ by: finding.by, says: finding.says, kind: finding.kind });
      continue;
    }
    if (evidence.length < SHOWN) evidence.push({ by: finding.by, says: finding.says, kind: finding.kind });
    if (finding.kind === best.kind) {
      agreed ||= finding.by !== best.by;
      subject ??= finding.subject;
      status ??= finding.status;
      again ??= finding.again;
    } else if (finding.weight >= best.weight - DOUBT)
      doubted ||= TRAITS[finding.kind].reaction !== TRAITS[best.kind].reaction;
  }
  if (agreed) certainty += 0.04;
  if (doubted) certainty -= 0.12;
  if (subject !== best.subject || status !== best.status || again !== best.again)
    best = { ...best, subject, status, again };
  return { best, certainty: Math.round(Math.max(0.05, Math.min(0.99, certainty)) * 100) / 100, evidence };
}

function stronger(one: Finding, other: Finding): boolean {
  if (one.weight !== other.weight) return one.weight > other.weight;
  return isRetryable(TRAITS[other.kind].reaction) && !isRetryable(TRAITS[one.kind].reaction);
}

/** The findings in the order in which they decide. */
export function ranked(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((one, other) => {
    if (stronger(one, other)) return -1;
    return stronger(other, one) ? 1 : 0;
  });
}

/** A reading from a verdict and what else was found. */
export function toReading(
  verdict: Verdict,
  more: Partial<Pick<ProseReading, 'retryable' | 'afterMs' | 'status' | 'issues' | 'message'>>,
): ProseReading {
  const { best } = verdict;
  const reading: { -readonly [K in keyof ProseReading]: ProseReading[K] } = {
    kind: best.kind,
    certainty: verdict.certainty,
    evidence: verdict.evidence,
  };
  if (best.subject !== undefined) reading.subject = best.subject;
  const retryable = more.retryable ?? (best.never ? false : best.again);
  if (retryable !== undefined) reading.retryable = retryable;
  if (more.afterMs !== undefined) reading.afterMs = more.afterMs;
  const status = more.status ?? best.status;
  if (status !== undefined) reading.status = status;
  if (more.issues !== undefined && more.issues.length > 0) reading.issues = more.issues;
  if (more.message !== undefined) reading.message = more.message;
  return reading;
}
