/**
 * How the documents have failures of the protocol itself. They stand beside the dialects and not in them, because only
 * who serves needs them: a client that reads one dialect does not ship them.
 */

import { withDoubt } from '../doubt.ts';
import type { Fault } from '../fault.ts';
import type { Language } from '../language.ts';
import { originalOf } from './at-once.ts';
import { form as closientForm } from './closient/form.ts';
import { closient } from './closient/index.ts';
import type { Dialect, Form, FormContext, JsonRpcWire } from './dialect.ts';
import { form as erlmcpForm } from './erlmcp/form.ts';
import { erlmcp } from './erlmcp/index.ts';
import { form as onxForm } from './onx/form.ts';
import { onx } from './onx/index.ts';
import { form as platicaForm } from './platica/form.ts';
import { platica } from './platica/index.ts';
import { form as qaqnuzForm } from './qaqnuz/form.ts';
import { qaqnuz } from './qaqnuz/index.ts';

export { saidKind } from '../brand.ts';
export { withDoubt } from '../doubt.ts';
export { negotiated } from './negotiated.ts';
export { toldIn } from './told.ts';

/** By the dialect itself: another one of the same name has forms of its own, or none. */
const FORMS: ReadonlyMap<object, Form> = new Map<object, Form>([
  [closient, closientForm],
  [onx, onxForm],
  [erlmcp, erlmcpForm],
  [qaqnuz, qaqnuzForm],
  [platica, platicaForm],
]);

/** How the dialect's document has failures of the protocol itself; `undefined` where `write` says it all. */
export function formOf(dialect: Dialect): Form | undefined {
  if (dialect.form !== undefined) return dialect.form;
  for (let one: object | undefined = dialect; one !== undefined; one = originalOf(one)) {
    const form = FORMS.get(one);
    if (form !== undefined) return form;
  }
  return undefined;
}

/** Kinds of the request itself, said by a tool of its own input; a method that a tool did not find is not the one that called it. */
export function toldByTool(fault: Fault, dialect: Dialect): Fault {
  const { kind, subject, ...rest } = fault;
  const ofRequest = kind === 'parse_error' || kind === 'invalid_request';
  if (ofRequest && dialect.requestKinds === true) return { ...fault, kind: 'unprocessable' };
  const isMethod = kind === 'unsupported' && subject?.type === 'method' && formOf(dialect) !== undefined;
  return isMethod ? { ...rest, kind } : fault;
}

/**
 * An answer in the form of its dialect's document, and with the `id` that the dialect gives to nobody. `complete` adds what else
 * goes out in it: whether it would be taken for a refusal is judged by the whole.
 */
export function inForm(
  written: JsonRpcWire,
  fault: Fault,
  dialect: Dialect,
  { read }: Pick<Language, 'read'>,
  context: FormContext,
  complete: (formed: JsonRpcWire) => JsonRpcWire = (formed) => formed,
): JsonRpcWire {
  const formed = stamped(formOf(dialect)?.(written, fault, context) ?? written, written);
  const answer = withDoubt(complete(formed), fault, { dialect, read });
  if (answer.error === undefined || answer.id !== undefined || dialect.unknownId !== 'null') return answer;
  const { jsonrpc, ...rest } = answer;
  return { jsonrpc, id: null, ...rest };
}

/** What a revision demands of every result stays, whatever a document makes of the rest. */
function stamped(answer: JsonRpcWire, { result }: JsonRpcWire): JsonRpcWire {
  const stamp = result?.['resultType'];
  if (stamp === undefined || answer.result === undefined || 'resultType' in answer.result) return answer;
  return { ...answer, result: { ...answer.result, resultType: stamp } };
}
