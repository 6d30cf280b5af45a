/** Our own text for the model, read back: it ends with advice that names the kind. */
import type { DialectId, Heard } from '../dialects/dialect.ts';
import { type FaultInit, waitMs } from '../fault.ts';
import { ADVICE, KIND_NAMES, type Kind } from '../kinds.ts';
import { CAUTION } from './caution.ts';
import { IN_DOUBT, PARTLY_DONE, STEP_FIRST, WITHOUT_DOUBT, WITHOUT_HARM } from './for-model.ts';

const REFERENCE = / Reference: [\w-]{1,64}\.$/;
const WAIT = / Wait at least (\d{1,12}) (ms|s)\.$/;
const CAUTIOUSLY = ` ${CAUTION}`;
const KIND_OF_ADVICE: ReadonlyMap<string, Kind> = new Map([
  ...KIND_NAMES.flatMap((kind): [string, Kind][] => [
    [ADVICE[kind], kind],
    [WITHOUT_DOUBT[kind] ?? ADVICE[kind], kind],
    [WITHOUT_HARM[kind] ?? ADVICE[kind], kind],
    [IN_DOUBT[kind] ?? ADVICE[kind], kind],
  ]),
  [STEP_FIRST, 'not_ready'],
]);
const LONGEST = Math.max(...[...KIND_OF_ADVICE.keys()].map((advice) => advice.length));

/** What our own text says, so that even bare text keeps it. */
interface Told {
  readonly kind: Kind;
  readonly message: string;
  readonly afterMs?: number;
  /** Where the advice rules out what the kind implies. */
  readonly retryable?: false;
}

/** The kind and the wait that our own text names. */
export function readModelText(said: string): Told | undefined {
  // Our text ends with a full stop; most others do not, and are done here.
  if (!said.endsWith('.')) return undefined;
  const reference = REFERENCE.exec(said.slice(-80))?.[0] ?? '';
  const text = said.slice(0, said.length - reference.length);
  const wait = WAIT.exec(text.slice(-40));
  const until = text.length - (wait?.[0].length ?? 0);
  const end = text.endsWith(CAUTIOUSLY, until) ? until - CAUTIOUSLY.length : until;
  for (let at = end; at >= 0 && end - at <= LONGEST; at = at === 0 ? -1 : startBefore(text, at)) {
    const advice = text.slice(at, end);
    const kind = KIND_OF_ADVICE.get(advice);
    if (kind === undefined) continue;
    const happened = text.slice(0, at).trimEnd().replace(/\.$/, '');
    // Who has to look into the log needs the reference, whatever form the text takes next.
    const message = reference === '' ? happened : `${happened}.${reference}`.replace(/^\. /, '');
    if (advice === STEP_FIRST) return { kind, message, retryable: false };
    if (wait === null) return { kind, message };
    return { kind, message, afterMs: Number(wait[1]) * (wait[2] === 's' ? 1000 : 1) };
  }
  return undefined;
}

/** Where the sentence or the line begins that stands before a place; 0 for the first one. */
function startBefore(text: string, at: number): number {
  for (let start = at - 1; start > 0; start--) {
    const before = text[start - 1] as string;
    if (before === '\n' || (before === ' ' && STOPS.includes(text[start - 2] as string))) return start;
  }
  return 0;
}

/** What our own sentences end with. */
const STOPS = '.!?…';

/** The words before our own advice that fits any kind: what they say decides which, and nobody is told to call again. */
export function beforeAdvice(text: string): Beside | undefined {
  if (!text.endsWith(PARTLY_DONE)) return undefined;
  const words = text.slice(0, -PARTLY_DONE.length).trimEnd().replace(/\.$/, '');
  const said = {
    reaction: 'terminal',
    retryable: false,
    retry: { when: 'never' },
    advice: PARTLY_DONE,
  } as const;
  return { words, said };
}

/** Words, and what our own advice behind them says. */
export interface Beside {
  readonly words: string;
  readonly said: Omit<FaultInit, 'kind'>;
}

/** What a text says that ends with our own advice, whoever carries it: a result, an exception, a message. */
export function heardInAdvice(text: string, dialect?: DialectId): Heard | undefined {
  const ours = readModelText(text);
  if (ours === undefined) return undefined;
  const { kind, message, afterMs, retryable } = ours;
  const evidence = { by: 'advice', says: "the text ends with Mayday's own advice", kind };
  return {
    kind,
    message,
    retryable,
    retry: waitMs(afterMs),
    certainty: 0.9,
    evidence: [dialect === undefined ? evidence : { ...evidence, dialect }],
  };
}
