/**
 * What stands between a request and the server: its guards, and its key. The guards that say who may call come first,
 * then the key, then the guards that count: a repeat under a key does no work, so it takes no place and no token.
 */
import { type Guard, isOfWork, Passage } from '../guards/guard.ts';
import type { Message } from '../shapes.ts';
import type { Failure } from './failure.ts';
import { keyOf, noteRefused, once, type Served } from './once.ts';
import { replayOf } from './once-answer.ts';
import type { Worked } from './once-outcome.ts';
import { lateAlready } from './refusals.ts';
import { noteHeld } from './refused-requests.ts';
import type { RequestState } from './request-state.ts';

/** A server, as those see it who decide what reaches it. */
export interface Door {
  readonly server: Served;
  /** Would the guard see the handler of this request begin? */
  isWrapped(state: RequestState): boolean;
  /** Is there anybody who answers such requests? */
  answers(method: string): boolean;
  /** Gives the request to the server. */
  hand(state: RequestState): void;
  /** What was thrown before the server saw the request, as its caller is told it. */
  refusal(reason: unknown, state: RequestState): Failure;
  /** Answers in the server's place. */
  refuse(state: RequestState, failure: Failure): void;
  /** Answers with what an earlier call came to. */
  replay(state: RequestState, message: Message): void;
  /** A guard has a bug that costs the caller nothing. */
  strayed(state: RequestState, bug: unknown): void;
}

/** Takes a request to the server, past everything that may refuse it. Synchronous as long as the guards are. */
export function admit(door: Door, state: RequestState): void {
  const { guards, outer } = askedAbout(state.method, door);
  const key = state.hasMeta && state.method === 'tools/call' ? keyOf(state, door.server.settings) : undefined;
  state.keyed = key !== undefined;
  if (key === undefined && isLate(state)) {
    door.refuse(state, lateAlready());
    return;
  }
  if (key === undefined && guards.length === 0) {
    door.hand(state); // almost every request
    return;
  }
  if (guards.length > 0) {
    state.passage = new Passage(state, (bug) => door.strayed(state, bug));
    // Where the guard cannot see a handler begin, nobody could be asked later.
    state.innerAsked = !door.isWrapped(state);
  }
  const asked = state.innerAsked ? guards : outer;
  if (key === undefined) {
    passing(
      door,
      state,
      () => state.passage?.enter(asked),
      () => door.hand(state),
    );
    return;
  }
  const refused = (): void => noteRefused(state, door.server, key);
  const go = (): void => void handOnce(door, state, key, () => state.passage?.enter(asked.filter(isOfWork)));
  passing(door, state, () => state.passage?.enterRepeatable(outer), go, refused);
}

/** Whoever asks for what nobody answers is told so: it is nothing that a guard could be about, unless it says that it is. */
function askedAbout(
  method: string,
  door: Door,
): { readonly guards: readonly Guard[]; readonly outer: readonly Guard[] } {
  const { settings } = door.server;
  if (settings.guards.length === 0 || method === 'tools/call' || door.answers(method)) return settings;
  const isNamed = ({ methods }: Guard): boolean => methods !== undefined;
  return { guards: settings.guards.filter(isNamed), outer: settings.outer.filter(isNamed) };
}

function isLate({ dueAt, startedAt }: RequestState): boolean {
  return dueAt <= startedAt;
}

type Enter = () => Promise<void> | void;

/** Goes on when the guards have let the request through. HTTP statuses depend on it being at once, if they do it at once. */
function passing(
  door: Door,
  state: RequestState,
  enter: Enter,
  go: () => void,
  refused: () => void = () => undefined,
): void {
  const refuse = (reason: unknown): void => {
    refused();
    door.refuse(state, door.refusal(reason, state));
  };
  let held: Promise<void> | void;
  try {
    held = enter();
  } catch (reason) {
    refuse(reason);
    return;
  }
  if (held === undefined) go();
  else noteHeld(held.then(() => (state.over ? state.passage?.leave() : go()), refuse));
}

/** Finds out what became of a call under its key, or makes it. */
async function handOnce(door: Door, state: RequestState, key: unknown, enter: Enter): Promise<void> {
  const ending = once(state, door.server, key, () => lead(door, state, enter));
  state.kept = ending;
  const ended = await ending;
  if (state.delivered || state.over) return; // the server has answered, or nobody waits for it
  if ('failure' in ended) door.refuse(state, ended.failure);
  else door.replay(state, replayOf(ended, state));
}

/** The call that is made under its key. Whoever gives the request up concludes it in our place. */
function lead(door: Door, state: RequestState, enter: Enter): Promise<Worked> {
  return new Promise((resolve) => {
    state.conclude = resolve;
    const refuse = (failure: Failure): void => resolve({ failure, unbegun: true });
    if (isLate(state)) {
      refuse(lateAlready());
      return;
    }
    const refused = (reason: unknown): void => refuse(door.refusal(reason, state));
    let held: Promise<void> | void;
    try {
      held = enter();
    } catch (reason) {
      refused(reason);
      return;
    }
    if (held === undefined) door.hand(state);
    else held.then(() => (state.over ? state.passage?.leave() : door.hand(state)), refused);
  });
}
