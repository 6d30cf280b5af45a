import { own, ownBoolean, ownNumber, ownRecord, ownString, type Unknown } from '../../json.ts';
import type { Kind } from '../../kinds.ts';
import { TOOL_FAILURE_KEY } from '../../protocol.ts';
import { readModelText } from '../../render/read-model-text.ts';
import type { Wire } from '../../wire/wire.ts';
import type { Heard, ReadContext } from '../dialect.ts';
import { byCode } from '../rows.ts';
import { codes } from './codes.ts';

const rows = /* @__PURE__ */ byCode('tool-failure', codes);

/** What a class means when its code is not known. */
const KIND_OF_CLASS: { readonly [name: string]: Kind } = {
  capability: 'unsupported',
  reliability: 'not_ready',
  governance: 'forbidden',
};

/** The classification, if there is one. */
export function failureIn(wire: Wire): Unknown | undefined {
  return ownRecord(own(wire.result, '_meta'), TOOL_FAILURE_KEY);
}

/** The class decides the behaviour, the code the kind; `retryable` counts for reliability alone. */
export function read(wire: Wire, context: ReadContext): Heard | undefined {
  const failure = failureIn(wire);
  if (failure === undefined) return undefined;
  const said = ownString(failure, 'class') ?? '';
  const code = ownString(failure, 'code') ?? '';
  const row = rows.get(code)?.row;
  const kind = row?.kind ?? (Object.hasOwn(KIND_OF_CLASS, said) ? (KIND_OF_CLASS[said] as Kind) : 'unknown');
  const notBefore = ownNumber(failure, 'retryNotBefore');
  return {
    kind,
    message: readModelText(wire.text)?.message ?? wire.text,
    retryable: said === 'reliability' ? (ownBoolean(failure, 'retryable') ?? false) : false,
    refusal: row?.refusal === true && said === 'governance',
    retry: notBefore === undefined ? undefined : { afterMs: Math.max(0, notBefore - context.now()) },
    correlationId: ownString(failure, 'correlationId'),
    advice: adviceOf(wire, failure),
    certainty: row === undefined ? 0.8 : 0.98,
    evidence: [{ by: 'meta', says: `${said} ${code}`, dialect: 'tool-failure', kind }],
  };
}

/** Guidance that only repeats the end of the text, which is ours, adds nothing. */
function adviceOf(wire: Wire, failure: Unknown): string | undefined {
  const guidance = ownString(failure, 'agentGuidance');
  return guidance !== undefined && readModelText(wire.text) !== undefined && wire.text.endsWith(guidance)
    ? undefined
    : guidance;
}
