import { retryFrom } from '../../document.ts';
import { own, ownString, type Unknown } from '../../json.ts';
import { type Kind, type Reaction, TRAITS } from '../../kinds.ts';
import type { Wire } from '../../wire/wire.ts';
import type { Heard, ReadContext } from '../dialect.ts';
import { byCode } from '../rows.ts';
import { codes } from './codes.ts';
import { sentenceKind } from './sentences.ts';

const rows = /* @__PURE__ */ byCode('qaqnuz', codes);

/** Jitter that applies when the hint does not say. */
const DEFAULT_JITTER = 0.2;

/** The envelope says the class with full certainty; the wire has only text, which is a guess. */
export function read(wire: Wire, context: ReadContext): Heard | undefined {
  const envelope = envelopeIn(wire);
  return envelope === undefined ? readText(wire, context) : readEnvelope(envelope, wire, context);
}

/** The inner envelope, which the platform keeps to itself: it has the class, the wire only has the text. */
export function envelopeIn(wire: Wire): Unknown | undefined {
  const { body } = wire;
  const said = own(body, 'error_class');
  if (said === undefined) return undefined;
  // A class that is no text is still an envelope's, and none of the five.
  const isEnvelope = typeof said === 'string' || ownString(body, 'sanitized_error') !== undefined;
  return isEnvelope ? (body as Unknown) : undefined;
}

function readEnvelope(envelope: Unknown, wire: Wire, context: ReadContext): Heard {
  const said = ownString(envelope, 'error_class') ?? '';
  const text = ownString(envelope, 'sanitized_error') ?? '';
  const row = rows.get(said)?.row;
  // An unknown class must not become a sixth one: what is not understood is not repeated.
  const reaction = (row === undefined ? 'terminal' : said) as Reaction;
  const kind = refine(reaction, row?.kind ?? 'unknown', { ...wire, text, body: undefined }, context);
  const hint =
    reaction === 'retryable' || reaction === 'dependency'
      ? retryFrom(own(envelope, 'retry_hint'))
      : undefined;
  return {
    kind,
    reaction,
    message: text,
    placement: 'envelope',
    refusal: row?.refusal,
    retry: hint === undefined ? undefined : { jitter: DEFAULT_JITTER, ...hint },
    native: { dialect: 'qaqnuz', code: said },
    certainty: row === undefined ? UNKNOWN_CLASS : 1,
    evidence: [{ by: 'envelope', says: `error_class ${said}`, dialect: 'qaqnuz', kind }],
  };
}

/** The text may tell the kind, as long as it does not contradict the class. */
function refine(reaction: Reaction, general: Kind, wire: Wire, context: ReadContext): Kind {
  const own = sentenceKind(wire.text) ?? context.prose(wire)?.kind;
  return own !== undefined && TRAITS[own].reaction === reaction ? own : general;
}

/** It is the platform's envelope, and no class that it has. */
const UNKNOWN_CLASS = 0.4;

const GUESS = 0.5;

function readText(wire: Wire, context: ReadContext): Heard | undefined {
  if (wire.placement !== 'tool' && wire.placement !== 'text') return undefined;
  const kind = sentenceKind(wire.text);
  const guess = kind === undefined ? context.prose(wire) : undefined;
  return {
    ...(guess ?? {}),
    kind: kind ?? guess?.kind ?? 'unknown',
    message: wire.text,
    certainty: kind === undefined ? Math.min(guess?.certainty ?? 0, GUESS) : GUESS,
    evidence: guess?.evidence ?? [
      { by: 'text', says: 'the class does not cross the wire; only the text does', dialect: 'qaqnuz' },
    ],
  };
}
