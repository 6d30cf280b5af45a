/** Who has a resource: its URI says nothing about that. */
import { answered, encodeExact, idOf, lost, type WireCall, type WireOutcome } from '@mayday/relay';
import { canonicalUri } from '../uri-readings.ts';
import { type JoinedContext, partsFor } from './context.ts';
import { askPart, type PartAnswer } from './derive.ts';
import { forward, recordFailure } from './forward.ts';
import type { JoinedLink, Known } from './joined-link.ts';
import type { Part } from './part.ts';
import { patienceWith } from './patience.ts';
import { hasNone, isForbidden, mostTelling } from './telling.ts';

/** What is known about resources. */
export interface HolderContext extends JoinedContext, Pick<Known, 'owners' | 'templates'> {}

type Failure = Extract<PartAnswer, { ok: false }>;

/**
 * A resource goes to whoever listed it, or a template for it. Everybody else is asked in turn. It is not found when
 * nobody has it; where somebody could not say, that is what the caller hears.
 */
export async function toHolder(
  call: WireCall,
  uri: string,
  link: JoinedLink,
  context: HolderContext,
): Promise<WireOutcome> {
  const { owners } = context;
  // Where refusals say why, those who may not use it hear so.
  const parts = context.isOpaqueFor(call) ? partsFor(call, link, context) : [...link.parts.values()];
  const [only, another] = parts;
  const owner = link.parts.get(owners.of(uri) ?? '') ?? (another === undefined ? only : undefined);
  if (owner !== undefined) return forward(owner, call);
  const likely = link.parts.get(likelyOwner(uri, context, link.parts) ?? '');
  const first = likely === undefined ? undefined : await forward(likely, call);
  if (first !== undefined && !hasNone(first)) return first;
  const others = slowLast(
    parts.filter((part) => part !== likely),
    call.method,
  );
  const answer = await askInTurn(call, others, context);
  if (answer === undefined) return first ?? lost(call, notFound(uri));
  if (!answer.ok) return answer.outcome;
  owners.set(uri, answer.part.name);
  if (answer.isStream) call.back.open();
  const body = encodeExact({ jsonrpc: '2.0', id: idOf(call.body, call.peek), result: answer.result });
  return answered({ body, status: 200, headers: { 'content-type': 'application/json' }, isStream: false });
}

/** Which of these listed it before a reload or in another spelling, or a template for it. */
export function likelyOwner(
  uri: string,
  { owners, templates }: Pick<HolderContext, 'owners' | 'templates'>,
  among: ReadonlyMap<string, unknown>,
): string | undefined {
  const listed = [owners.likely(uri), owners.likely(canonicalUri(uri))];
  return listed.find((owner) => owner !== undefined && among.has(owner)) ?? templates.ownerOf(uri, among);
}

/** Who is known to keep others waiting is asked when nobody else has it: that one was slow for another client says no more. */
function slowLast(parts: readonly Part[], method: string): readonly Part[] {
  const slow = new Set(parts.filter((part) => part.isSlowWith(method)));
  return [...parts.filter((part) => !slow.has(part)), ...slow];
}

/** The first that has it; else what kept one of them from saying so; `undefined` when none has it. */
async function askInTurn(
  call: WireCall,
  parts: readonly Part[],
  { partTimeoutMs, recording }: HolderContext,
): Promise<PartAnswer | undefined> {
  const failures: Failure[] = [];
  let found: PartAnswer | undefined;
  /** Of those that may not be asked for it, the first: nobody knows whether they have it. */
  let forbidden: Failure | undefined;
  for (const part of parts) {
    const answer = await askPart(
      part,
      call,
      call.method,
      call.params() ?? {},
      patienceWith(part, partTimeoutMs),
    );
    if (answer.ok) {
      found = answer;
      break;
    }
    if (isForbidden(answer.outcome)) forbidden ??= answer;
    if (!hasNone(answer.outcome)) failures.push(answer);
  }
  const told = found ?? mostTelling(failures) ?? forbidden;
  // The one that goes out is recorded with the call.
  for (const failure of failures) if (failure !== told) await recordFailure(call, failure, recording);
  return told;
}

function notFound(uri: string): Parameters<typeof lost>[1] {
  return {
    kind: 'not_found',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'resource', id: uri },
    message: `Resource not found: ${uri}`,
  };
}
