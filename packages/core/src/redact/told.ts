/**
 * What one part of an answer gives away goes from all that is told of the call: `{"password": "x"}` beside a sentence that
 * only says `x`, a log line before both, the fault that is made of them.
 */
import { redactBytes } from './bytes/redact-bytes.ts';
import { isDistinctive, isSecretClass, type ToldSecret } from './distinctive.ts';
import { createEngine, standardEngine } from './redactor.ts';
import type { Engine } from './text.ts';
import type { RedactOptions } from './types.ts';
import { namedIn } from './value.ts';

/** More are not looked for. */
const MOST = 50;

/**
 * The secrets that a value gives away, by their names and by all else that tells of them, and that nobody writes by chance.
 * Each part of what is told of a call is to be redacted with these: see {@link hidingTold}.
 */
export function toldSecrets(value: unknown, options?: RedactOptions): readonly ToldSecret[] {
  const engine = options === undefined ? standardEngine() : createEngine(options);
  const found: ToldSecret[] = [];
  const learn = (said: unknown): void => void found.push(...toldIn(engine, said));
  const look = (plain: unknown): unknown => {
    learn(plain);
    return plain;
  };
  // Bytes say what they hold; the letters that they are sent in may spell anything.
  const asText = (text: string): string => {
    learn([text]);
    return '';
  };
  redactBytes<unknown>([value], look, { asText, redaction: options });
  return found.slice(0, MOST);
}

/** Secrets that were surely given as such, and that stand nowhere else by chance. */
function toldIn(engine: Engine, value: unknown): readonly ToldSecret[] {
  return namedIn(engine, value)
    .flatMap(([text, { class: cls, isGuess }]) => (isGuess ? [] : [{ text, class: cls }]))
    .filter(({ text, class: cls }) => isSecretClass(cls) && isDistinctive(text, cls))
    .slice(0, MOST);
}

/** The same options, hiding such secrets too; the same reference where there are none. */
export function hidingTold<O extends RedactOptions | undefined>(
  options: O,
  told: readonly ToldSecret[],
): O | RedactOptions {
  if (told.length === 0) return options;
  return { ...options, told: [...(options?.told ?? []), ...told].slice(0, MOST) };
}
