/** What looks at the whole of a text tell, after its phrases. */
import { isRetryable, type Kind, TRAITS } from '../kinds.ts';
import { lookAtJson, unusableIn } from './answers.ts';
import { isCutOff } from './cut-off.ts';
import { isUntoldByInput } from './drawn.ts';
import { lookAtGrpc } from './grpc.ts';
import {
  isBug,
  isKeptFromYou,
  isShell,
  isSpawn,
  type Look,
  lacksFunds,
  lacksInstallation,
  lookAtCrash,
  lookAtGone,
  lookAtUnavailable,
  namesEnvironment,
  offersOthers,
  resetsSoon,
  saysAbsent,
  saysUnknown,
  wasChanged,
} from './looks.ts';
import { numberIn } from './numbers.ts';
import { isOfInput } from './of-input.ts';
import { patienceIn } from './patience.ts';
import { lacksPlan } from './plans.ts';
import { asksForTheSame, hasChangedMeanwhile, isHeldForNow } from './races.ts';
import { readinessIn } from './readiness.ts';
import { saysNo } from './said-no.ts';
import { clip, type Scan } from './scan.ts';
import { laterIn, sentenceIn } from './sentences.ts';
import { asksForSetting } from './settings.ts';
import type { ProseContext } from './types.ts';
import { type Finding, PLAIN, ranked } from './verdict.ts';

/** What a phrase means that a look at the text decides. */
export function lookAt(kind: string, text: string, says: string, { env }: Scan): Look | undefined {
  switch (kind) {
    case '@json':
      return lookAtJson(text);
    case '@crash':
      return lookAtCrash(text);
    case '@env':
      return env && namesEnvironment(text) ? { kind: 'misconfigured', weight: 90 } : undefined;
    case '@gone':
      return lookAtGone(text);
    case '@changed':
      return wasChanged(text) ? { kind: 'conflict', weight: 91 } : undefined;
    case '@grpc':
      return lookAtGrpc(text);
    case '@unavailable':
      return lookAtUnavailable(text, says);
    default:
      return isSpawn(text) ? { kind: 'misconfigured', weight: 93 } : undefined;
  }
}

/** What a look at the whole of a text tells, and how much that weighs. */
const LOOKS: readonly {
  readonly isSo: (text: string) => boolean;
  readonly kind: Kind;
  readonly weight: number;
  readonly says: string;
}[] = [
  { isSo: isShell, kind: 'misconfigured', weight: 94, says: 'a shell misses a program' },
  { isSo: isBug, kind: 'internal', weight: 90, says: 'a mistake in a program' },
  { isSo: lacksInstallation, kind: 'misconfigured', weight: 91, says: 'something has to be installed' },
  { isSo: isKeptFromYou, kind: 'forbidden', weight: 93, says: 'not for whoever asks' },
  { isSo: offersOthers, kind: 'invalid_arguments', weight: 93, says: 'values that would do' },
  { isSo: lacksFunds, kind: 'unprocessable', weight: 97, says: 'somebody’s means' },
  { isSo: asksForSetting, kind: 'misconfigured', weight: 97, says: 'a setting that is asked for' },
  { isSo: lacksPlan, kind: 'forbidden', weight: 97, says: 'not of this plan' },
  { isSo: isOfInput, kind: 'invalid_arguments', weight: 93, says: 'a part of the input' },
  {
    isSo: isUntoldByInput,
    kind: 'invalid_arguments',
    weight: 84,
    says: 'what cannot be told from the input',
  },
  { isSo: resetsSoon, kind: 'rate_limited', weight: 97, says: 'more in seconds or minutes' },
  { isSo: saysNo, kind: 'cancelled', weight: 97, says: 'somebody who was asked has said no' },
  { isSo: isCutOff, kind: 'disconnected', weight: 90, says: 'an answer that did not come whole' },
  { isSo: hasChangedMeanwhile, kind: 'conflict', weight: 92, says: 'somebody else was faster' },
];

/** All that looks at the whole of a text find; `findings` is what phrases, statuses and codes found. */
export function lookAtAll(text: string, findings: Finding[], context: ProseContext): void {
  const clipped = clip(text);
  if (findings.length === 0 && saysAbsent(text))
    findings.push({ by: 'phrase', kind: 'not_found', weight: 72, says: clipped.slice(0, 80) });
  if (saysUnknown(clipped))
    findings.push({ by: 'phrase', kind: 'not_found', weight: 86, says: clipped.slice(0, 80) });
  for (const { isSo, kind, weight, says } of LOOKS)
    if (isSo(clipped)) findings.push({ by: 'phrase', kind, weight, says });
  if (mayBeOver(clipped, findings))
    findings.push({ by: 'phrase', kind: 'conflict', weight: OVER_SOON, says: 'over soon', again: true });
  const number = numberIn(clipped);
  if (number !== undefined) findings.push({ by: 'phrase', ...number, says: 'the number of a known system' });
  const unusable = unusableAnswer(clipped, findings, context);
  if (unusable !== undefined) findings.push(unusable);
  const sentence = sentenceIn(text, findings);
  const readiness =
    sentence === undefined || sentence.kind === 'not_ready' ? readinessIn(text, findings) : undefined;
  const people = readiness ?? sentence ?? patienceIn(text, findings) ?? laterIn(text, findings);
  if (people !== undefined) findings.push(people);
}

/** More than what is held, less than what is known to have changed. */
const OVER_SOON = 91;

/** Is it a conflict that is over soon? What is held is one by that alone. */
function mayBeOver(text: string, found: readonly Finding[]): boolean {
  const isHeld = isHeldForNow(text);
  if (!isHeld && !asksForTheSame(text)) return false;
  const [best] = ranked(found);
  return best === undefined || best.weight < PLAIN ? isHeld : best.kind === 'conflict';
}

/** Kinds by which a program that cannot use an answer words its complaint: they are about the answer, not the call. */
const OF_FORM: ReadonlySet<Kind> = new Set<Kind>([
  'invalid_arguments',
  'invalid_request',
  'parse_error',
  'unprocessable',
  'upstream_failed',
  'internal',
  'unknown',
]);
/** "EOF" alone is how a parser says that there was nothing to parse. */
const SURELY = 80;
/** A parser's words may be about what the caller wrote; a program that names the answer leaves no doubt. */
const UNUSABLE = { unparsed: 92, 'ill-formed': 97, misshapen: 97, reshaped: 97 } as const;

/** An answer that came, and is of no use; nothing where a status or another failure says why. */
function unusableAnswer(
  text: string,
  found: readonly Finding[],
  { code }: ProseContext,
): Finding | undefined {
  if (code === -32602 || code === -32700 || found.some(({ status }) => status !== undefined))
    return undefined;
  const how = unusableIn(text);
  if (how === undefined) return undefined;
  const others = found.filter(({ kind, weight }) => weight >= PLAIN && !OF_FORM.has(kind));
  if (
    how === 'misshapen'
      ? others.length > 0
      : others.some(({ kind, weight }) => weight >= SURELY && isRetryable(TRAITS[kind].reaction))
  )
    return undefined;
  const says = 'an answer that cannot be used';
  return { by: 'phrase', kind: 'upstream_failed', weight: UNUSABLE[how], says, never: true };
}
