/**
 * Everything that stands between the door and a server, in lists that read from top to bottom: the first entry is
 * the first to see a call and the last to see what became of it.
 */
import type { Language } from '@mayday/core';
import { type Budget, type Call, type Circuits, circuit, retry, stillSafe } from '@mayday/policy';
import { createHear, type Hear, type WireCall, type WirePolicy } from '@mayday/relay';
import { approve } from '../access/approve.ts';
import { authorize } from '../access/authorize.ts';
import { failingLists } from '../access/failing-lists.ts';
import { ownTasks } from '../access/own-tasks.ts';
import { type Access, NO_RULES } from '../access/rules.ts';
import { tellWithin } from '../access/tell-within.ts';
import { refuseDenied } from '../access/verdicts.ts';
import { type Limits, NO_LIMITS } from '../limits/limits.ts';
import { toolsListedIn } from '../openapi/listed-tools.ts';
import type { CommonSettings, UpstreamSettings } from '../settings/settings.ts';
import type { KeptAnswers } from '../state/shared-answers.ts';
import { type CallHooks, NO_HOOKS } from '../telemetry/hooks.ts';
import { annotate, asKnown } from './annotate.ts';
import { attribute } from './attribute.ts';
import { closeBeside } from './close-beside.ts';
import type { DialectChoice } from './dialects.ts';
import { asEndOfTask } from './ended-task.ts';
import { exactlyOnce } from './exactly-once.ts';
import { foreignChallenges } from './foreign-challenges.ts';
import { foundTools } from './found-tools.ts';
import { type Health, watchHealth } from './health.ts';
import { heedChanges } from './heed-changes.ts';
import { hidden } from './hide-given.ts';
import type { SentSecrets } from './hide-sent.ts';
import type { Hide } from './hiding.ts';
import { inTurn } from './in-turn.ts';
import { keyedTools } from './keyed-tools.ts';
import { knownRevisions } from './known-revisions.ts';
import { laterRound } from './later-round.ts';
import { learnTools } from './learn-tools.ts';
import { madeAgain, type RefusedAttempts } from './made-again.ts';
import { namedTools } from './named-tools.ts';
import { ownSession } from './own-session.ts';
import { type RecordOptions, record } from './record.ts';
import { type RedactionOptions, redactFaults } from './redact-faults.ts';
import { redactQuestions } from './redact-questions.ts';
import { redactTasks } from './redact-tasks.ts';
import { STANDARD } from './redaction.ts';
import { ofWhoseRequest } from './refused-message.ts';
import { tasksOnce } from './tasks-once.ts';
import { tellOverheard } from './tell-overheard.ts';
import { tellServer } from './tell-server.ts';
import { type StartTold, tellWhy } from './tell-why.ts';
import { timeLimit } from './time-limit.ts';
import type { ToolHints } from './tool-hints.ts';
import type { AskForTools } from './tool-questions.ts';
import { type WriteOptions, write } from './write.ts';

/** Around every call, the door's own refusals included. */
export function outerPath(
  options: WriteOptions & RecordOptions & RedactionOptions,
  { tell }: Limits = NO_LIMITS,
  { calls }: CallHooks = NO_HOOKS,
): readonly WirePolicy[] {
  return [
    ...calls,
    ...tell,
    redactTasks(),
    redactQuestions(),
    write(options),
    foreignChallenges(),
    record(options),
    redactFaults(options),
    inTurn(),
    knownRevisions(options.dialects),
  ];
}

/** Around questions of the gateway's own: failures are recorded, but put to nobody. */
export function recordingPath(options: RecordOptions): readonly WirePolicy[] {
  return [record(options), redactFaults(), inTurn()];
}

/** What one upstream has learned, and how it is treated. */
export interface UpstreamPolicies {
  readonly settings: CommonSettings & Partial<Pick<UpstreamSettings, 'type'>>;
  readonly circuits: Circuits;
  readonly budget: Budget;
  readonly hints: ToolHints;
  /** Lists the tools that nobody knows here. */
  readonly ask: AskForTools;
  readonly health: Health;
  /** What is known of its starts, where its sessions have processes of their own. */
  readonly starts?: StartTold | undefined;
  /** Tells the operator. */
  readonly note: (text: string) => void;
  /** Answers to calls with an idempotency key. */
  readonly answers: KeptAnswers;
  /** Who may use what; everybody everything, if absent. */
  readonly access?: Access | undefined;
  /** Takes out what its server was given; it was given nothing, if absent. */
  readonly hide?: Hide | undefined;
  /** Takes out what calls were sent with; nothing, if absent. */
  readonly sent?: Pick<SentSecrets, 'hiderOf'> | undefined;
  /** How much may be asked of it; anything, if absent. */
  readonly limits?: Limits | undefined;
  /** What calls need of their callers' own before they go out. */
  readonly needs?: readonly WirePolicy[] | undefined;
  /** Who watches; nobody, if absent. */
  readonly watch?: CallHooks | undefined;
  /** Attempts that were refused, of callers that count them. */
  readonly refusedAttempts: RefusedAttempts;
  /** What its callers are answered in; nothing is kept back beside its answers, if absent. */
  readonly dialects?: DialectChoice | undefined;
}

/** Around what is asked of one upstream. Attempts, time limits and cancellation are owned here and nowhere else. */
export function innerPath({
  settings,
  circuits,
  budget,
  hints,
  ask,
  health,
  starts,
  note,
  answers,
  hide,
  sent,
  access = NO_RULES,
  limits = NO_LIMITS,
  needs = [],
  watch = NO_HOOKS,
  refusedAttempts,
  dialects,
}: UpstreamPolicies): readonly WirePolicy[] {
  const { attempts, maxWaitMs } = settings.retry;
  // What was said in a conversation that is over holds until the next one is asked: it is before anything goes out again.
  const words: Pick<ToolHints, 'of'> = { of: (...asked) => hints.of(...asked) ?? hints.lapsed(...asked) };
  const known = <C extends Call>(call: C): C => asKnown(call, words, settings.retry);
  return [
    ...(dialects === undefined ? [] : [closeBeside(settings.name, dialects)]),
    laterRound(), // above what repeats: a round that was refused may be sent again
    attribute(settings, hints),
    ...watch.within(settings, hints),
    authorize(access, settings.name, hints),
    ownTasks(access, settings.name),
    tellWithin(access, settings.name, hints),
    ...needs, // above what counts, repeats and asks people: without it, nothing can come of a call
    exactlyOnce(answers, settings, keyedTools(settings, hints, ask)), // above the limits: what was made once is told, and not refused as if it were not
    ...limits.admit,
    approve(access, settings.name), // below it: a repeat is answered without a second consent
    tellWhy(starts),
    failingLists(access, settings.name), // below what remembers failures, and tells of them again
    tellOverheard(hide, sent),
    timeLimit(settings),
    ...(settings.type === 'command' ? [tasksOnce()] : []),
    annotate(hints, settings.retry, dialects?.language),
    foundTools(hints),
    learnTools(hints, namedTools(settings, note)),
    madeAgain(refusedAttempts),
    retry({
      attempts,
      maxWaitMs,
      budget,
      patienceMs: 0,
      emit: watch.emit,
      asKnown: known,
    }),
    stillSafe(known),
    refuseDenied(), // so far down that what is denied goes the same way as what its server does not know
    ownSession(settings.name), // below it, a session that is gone speaks against nobody
    circuit(circuits),
    ...watch.attempts(settings, hints),
    watchHealth(health),
    tellServer(settings.retry, watch.meta),
    heedChanges(hints),
  ];
}

/** How the failures of one upstream are read; `hide` takes out what its server was given, `hints` know what it lists. */
export function hearOf(
  { from, retry: { trustDeclarations } }: CommonSettings,
  language: Language,
  hide?: Hide,
  hints?: Pick<ToolHints, 'of'>,
): Hear {
  const clean = <T>(value: T): T => STANDARD.clean(hidden(value, hide));
  const isListed = hints && ((call: WireCall, tool: string): boolean => hints.of(call, tool) !== undefined);
  const hear = createHear({ from, trustDeclarations, language, clean, isListed });
  return {
    ...hear,
    isOwn: (bytes) => toolsListedIn(bytes) !== undefined,
    understand: (call, said) => {
      const heard = hear.understand(call, said);
      return said.type === 'http'
        ? ofWhoseRequest(call, said, heard, from)
        : asEndOfTask(call, said, heard, hear);
    },
  };
}
