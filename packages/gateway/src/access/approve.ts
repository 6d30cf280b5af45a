/** Calls that a person has to consent to: held back until then, and made once. */
import { setTimeout as pause } from 'node:timers/promises';
import { makeFault } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import { cautioned } from '@mayday/core/render';
import { type ApprovalPass, approvalDesk, passing, type Refusal, refuse, sha256 } from '@mayday/policy';
import {
  type Answer,
  decode,
  lost,
  type Members,
  resultOf,
  type WireCall,
  type WireHandler,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { isOver, plain } from '../call/kept-answers.ts';
import { answersIn } from '../call/later-round.ts';
import { type Asked, askedWith } from './asked-with.ts';
import type { Access, Consent, Consents } from './rules.ts';
import { digestsFor } from './shown-arguments.ts';
import type { Use } from './uses.ts';
import { isRefused, judgedAs } from './verdicts.ts';

/** Stands around what is asked of one upstream. Below what repeats answers: a repetition needs no second consent. */
export function approve({ consents }: Pick<Access, 'consents'>, upstream: string): WirePolicy {
  const policy: WirePolicy = (next) => (call) => {
    const needed = consentTo(call);
    return needed === undefined ? next(call) : ask({ call, next, upstream, consents, ...needed });
  };
  return passing({ except: { applies: (call) => consentTo(call) !== undefined, policy } });
}

/** What a person has to consent to before this call is made; `undefined` where nobody has to. */
function consentTo(call: WireCall): Pick<Question, 'used' | 'consent'> | undefined {
  const { used, verdict } = judgedAs(call) ?? {};
  const consent = verdict?.isAllowed === true ? verdict.consent : undefined;
  if (consent === undefined || used?.isCall !== true || isRefused(call)) return undefined;
  return { used, consent };
}

interface Question {
  readonly call: WireCall;
  readonly next: WireHandler;
  readonly used: Use;
  readonly upstream: string;
  readonly consent: Consent;
  readonly consents: Consents | undefined;
}

async function ask(question: Question): Promise<WireOutcome> {
  const { call, next, used, consents } = question;
  const told = { origin: 'gateway', executed: 'no', subject: { type: used.type, id: used.name } } as const;
  if (consents === undefined)
    return inDoubt(call, lost(call, { ...told, kind: 'unavailable', message: NOBODY }));
  let key: string;
  try {
    key = await consents.approvals.digestKey();
  } catch (cause) {
    const fault = makeFault({ ...told, kind: 'unavailable', message: NOBODY });
    return inDoubt(call, refuse({ fault, by: 'approval', reason: String(cause) }));
  }
  const asked = askedWith(call, used.name, digestsFor(key, callerOf(call)));
  if ('kind' in asked) {
    const message = `The ${used.type} ${used.name} requires approval, and ${asked.why}`;
    return inDoubt(call, lost(call, { ...told, kind: asked.kind, message }));
  }
  const answer = await claim(question, consents, asked);
  if ('fault' in answer) {
    const fault = makeFault({ ...answer.fault, ...told });
    return inDoubt(call, refuse({ ...answer, fault }));
  }
  let outcome: WireOutcome | undefined;
  try {
    outcome = await next(call);
    return outcome;
  } finally {
    const isUsed = outcome === undefined || outcome.ok || outcome.fault.executed !== 'no';
    await answer.settle(isUsed);
    // A call that goes on in another round is not over: its consent is for all of them, and for none that begins anew.
    if (outcome !== undefined && !isOver(outcome)) await letGoOn(question, consents, asked, outcome);
    if (!isUsed) await note(question, consents, 'approvals.release', answer.id).catch(() => undefined);
  }
}

const NOBODY = 'Approvals cannot be asked for now';

/** Consents to the next round, which brings what this one has asked for. Where that fails, a person is asked again. */
async function letGoOn(
  question: Question,
  { approvals }: Consents,
  asked: Asked,
  outcome: WireOutcome,
): Promise<void> {
  const { requestState } = (outcome.ok && outcome.value.type === 'answer' && resultIn(outcome.value)) || {};
  try {
    const takeNext = () => take(question, approvals, asked, ['round', requestState ?? null]);
    let waiting = await takeNext();
    if (!('fault' in waiting)) {
      // What a call that was left here did not use is over; this one has its own, for as long as any.
      await waiting.settle(true);
      waiting = await takeNext();
    }
    const id = 'fault' in waiting ? waiting.fault.details?.['approval_id'] : undefined;
    if (typeof id === 'string') await approvals.approve(id);
  } catch {
    // The store is away: told to whoever comes with the next round.
  }
}

function resultIn(answer: Answer): Members | undefined {
  return resultOf(decode(plain(answer).body));
}

/** Which round of the call it is: the first, or one that goes on from what the server has said before; whatever the revision, since it all reaches the server. */
function roundOf(call: WireCall): readonly unknown[] {
  return answersIn(call) === undefined ? [] : ['round', call.params()?.['requestState'] ?? null];
}

/** Takes consent to this round of the call. */
function take(
  { call, used, upstream, consent }: Question,
  store: Consents['approvals'],
  { digest, shown, target }: Asked,
  round: readonly unknown[],
): Promise<ApprovalPass | Refusal> {
  const { ttlMs, rule } = consent;
  const asks = [upstream, call.method, used.name, digest, rule, ...round];
  const desk = approvalDesk<WireCall>({
    targets: () => true,
    store,
    ttlMs,
    fingerprint: () => sha256(JSON.stringify(asks)),
    name: () => `the ${used.type} ${used.name}`,
  });
  const asking = { ...call, caller: callerOf(call), upstream, target, arguments: shown };
  return Promise.resolve(desk(asking));
}

/** Takes the consent, and writes down that it did: what cannot be written down is not done. */
async function claim(question: Question, consents: Consents, asked: Asked): Promise<ApprovalPass | Refusal> {
  const answer = await take(question, consents.approvals, asked, roundOf(question.call));
  if ('fault' in answer) return answer;
  try {
    await note(question, consents, 'approvals.use', answer.id);
    return answer;
  } catch (cause) {
    await answer.settle(false);
    void noteInTime(question, consents, answer.id);
    const fault = makeFault({ kind: 'unavailable', message: 'The audit log cannot be written now' });
    return { fault, by: 'approval', reason: String(cause) };
  }
}

const NOTE_TRIES = 5;
const NOTE_PAUSE_MS = 500;

/** Its use may be in the log, though nobody was told: then so has to be that it was given back. Nobody waits for it. */
async function noteInTime(question: Question, consents: Consents, id: string | undefined): Promise<void> {
  for (let tries = 0; tries < NOTE_TRIES; tries += 1) {
    try {
      await note(question, consents, 'approvals.release', id);
      return;
    } catch {
      await pause(NOTE_PAUSE_MS, undefined, { ref: false });
    }
  }
}

async function note(
  { call, used, upstream }: Question,
  { audit }: Consents,
  action: string,
  target: string | undefined,
): Promise<void> {
  const caller = callerOf(call);
  // The log is kept for longer than a call waits, and read by more people: it is redacted whole.
  const details = { caller: caller ?? null, tool: `${upstream}/${redact(used.name).value}` };
  await audit.append({ actor: caller ?? 'anybody', action, target, details });
}

/** By name, which is what a person knows somebody by. */
function callerOf({ by }: WireCall): string | undefined {
  return by.isKnown ? by.name : undefined;
}

/** A call whose first attempt may have been made is refused here when it is asked about again. */
function inDoubt(call: WireCall, outcome: WireOutcome): WireOutcome {
  const { executed } = call.progress;
  if (outcome.ok || executed === 'no') return outcome;
  return { ...outcome, fault: cautioned({ ...outcome.fault, executed }) };
}
