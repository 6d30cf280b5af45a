/** At an upstream's own endpoint: tools under the names that callers know, and what was meant by a name that nobody has. */
import type { Executed, FaultInit } from '@mayday/core';
import { type Failed, passing } from '@mayday/policy';
import {
  lost,
  type Members,
  type Wire,
  type WireCall,
  type WireHandler,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { asExecuted, unavailable } from '../access/refusals.ts';
import type { Access } from '../access/rules.ts';
import { executedUnserved } from '../access/verdicts.ts';
import { askForList } from '../call/ask-for-list.ts';
import { asFound, isOfServer } from '../call/found-tools.ts';
import { mendAnswer } from '../call/mend-answer.ts';
import { renamed } from '../call/retarget.ts';
import { NO_LIST, withoutList } from '../call/sound-list.ts';
import type { ToolHints } from '../call/tool-hints.ts';
import { adviceOn, type Called, calledAs, isMissing } from '../joined/called-as.ts';
import { nearest } from '../nearest.ts';
import { mustBeListed } from './found-names.ts';
import type { Shape } from './shape.ts';
import { shapeList } from './shape-list.ts';

/** Whose tools they are, what is known of them, and who may use what. */
interface NamingContext {
  readonly upstream: string;
  readonly hints: Pick<ToolHints, 'of'>;
  readonly access?: Access | undefined;
}

/** Stands around everything else at an upstream's own endpoint: below it there are only names of the upstream's own. */
export function nameTools(shape: Shape, context: NamingContext): WirePolicy {
  const waysTo = (next: WireHandler): Ways => ({
    next,
    listed: shape.isPlain ? next : (call) => list(call, next, shape),
    shape,
    context,
  });
  const shaped: WirePolicy = (next) => {
    const ways = waysTo(next);
    return (call) => (call.method === 'tools/list' ? ways.listed(call) : use(call, ways));
  };
  const isShaped = (call: WireCall): boolean => !shape.isPlain && SHAPED.has(call.method);
  return passing({
    except: { applies: (call) => isShaped(call) || mustBeListed(call), policy: shaped },
    after: (outcome, call, next) => {
      const called = outcome.ok ? undefined : calledBy(call);
      if (outcome.ok || called === undefined || !isUnknown(outcome, called, shape)) return outcome;
      return named(call, called, outcome, waysTo(next));
    },
  });
}

/** What is asked by a name of the caller's, or gives these names. */
const SHAPED: ReadonlySet<string> = new Set(['tools/list', 'tools/call', 'prompts/get']);

/** What a call names, where callers and its server have the same name for it. */
function calledBy({ method, target: name }: WireCall): Called | undefined {
  const type = method === 'tools/call' ? 'tool' : method === 'prompts/get' ? 'prompt' : undefined;
  return type === undefined || name === undefined ? undefined : { type, own: name, joined: name };
}

async function list(call: WireCall, next: WireHandler, shape: Shape): Promise<WireOutcome> {
  const outcome = await next(call);
  if (!outcome.ok) return withoutList(outcome);
  if (outcome.value.type !== 'answer') return outcome;
  let hides = false;
  const value = mendAnswer(outcome.value, (message) => {
    const shaped = shapeList(message, shape);
    hides ||= shaped === undefined;
    return shaped ?? message;
  });
  return hides ? lost(call, NO_LIST) : { ...outcome, value };
}

interface Ways {
  readonly next: WireHandler;
  /** The way of `tools/list`, which gives the names that callers know. */
  readonly listed: WireHandler;
  readonly shape: Shape;
  readonly context: NamingContext;
}

async function use(call: WireCall, ways: Ways): Promise<WireOutcome> {
  const { next, shape } = ways;
  const asked = calledBy(call);
  if (asked === undefined) return next(call);
  const { type, joined: name } = asked;
  const own = type === 'tool' ? shape.own(name) : name;
  const gone = async (known: readonly string[], target: string): Promise<WireOutcome> =>
    unknown(call, name, known, ways, await executedUnserved(renamed(call, target), next));
  if (own === undefined) return gone(await namesHere(call, type, ways), name);
  // A name that is hidden and one that nobody has are answered alike: of neither the server is asked.
  const isLookedUp = type === 'tool' && (shape.hides || mustBeListed(call));
  const listed = isLookedUp ? await listedFor(call, own, ways) : undefined;
  if (listed !== undefined && !listed.includes(name)) return gone(listed, own);
  const outcome = await next(own === name ? call : renamed(call, own));
  return outcome.ok ? outcome : named(call, { ...asked, own }, outcome, ways);
}

/** A failure by the name that the caller knows, and what was meant by one that nobody has. */
async function named(
  call: WireCall,
  called: Called,
  outcome: Failed<Wire>,
  ways: Ways,
): Promise<WireOutcome> {
  const { type, own, joined: name } = called;
  const { shape } = ways;
  if (isUnknown(outcome, called, shape)) {
    const known = await namesHere(call, type, ways);
    if (type === 'tool' && known.includes(name) && isOfServer(outcome))
      return calledAs(asFound(outcome), called, undefined);
    return type === 'tool' && shape.hides && !known.includes(name)
      ? unknown(call, name, known, ways, outcome.fault.executed)
      : calledAs(outcome, called, known.includes(name) ? undefined : nearest(name, known));
  }
  return own === name ? outcome : calledAs(outcome, called, undefined);
}

/** Is there nothing of that name, and has nobody said yet what may have been meant? */
function isUnknown(outcome: Failed<Wire>, called: Called, shape: Shape): boolean {
  return isMissing(outcome, called) && !(shape.isPlain && isSuggested(outcome));
}

/** The names on the caller's list; `undefined` where a tool is known to be there, or it cannot be found out. */
async function listedFor(
  call: WireCall,
  own: string,
  { listed, context }: Ways,
): Promise<readonly string[] | undefined> {
  const { upstream, hints, access } = context;
  // What somebody may not use is on no list of theirs; that is answered elsewhere.
  if (hints.of(call, own) !== undefined) return undefined;
  if (access?.rules?.verdict(call.by, upstream, { type: 'tool', name: own }).isAllowed === false)
    return undefined;
  const { items, failed, isCut } = await askForList(listed, call, 'tools', PATIENCE_MS);
  return failed === undefined && !isCut && items.length > 0 ? namesIn(items) : undefined;
}

/** Whoever knows its names has said already what was meant. */
function isSuggested(outcome: WireOutcome): boolean {
  return !outcome.ok && outcome.fault.advice?.startsWith('Did you mean ') === true;
}

/** No server is asked for what callers do not see. */
function unknown(
  call: WireCall,
  name: string,
  known: readonly string[],
  { context }: Ways,
  executed: Executed,
): WireOutcome {
  const { upstream, access } = context;
  if (access?.rules?.isOpaqueFor(call) === true)
    return asExecuted(unavailable({ type: 'tool' }, 'unknown'), executed);
  const fault = unknownTool(name, adviceOn('tool', nearest(name, known)));
  const refusal = asExecuted(lost(call, fault), executed);
  return { ...refusal, value: { type: 'nothing', upstream, target: name } };
}

/** Nobody waits long for a hint. */
const PATIENCE_MS = 2000;

async function namesHere(
  call: WireCall,
  type: Called['type'],
  { next, listed }: Ways,
): Promise<readonly string[]> {
  const { items } = await askForList(type === 'tool' ? listed : next, call, `${type}s`, PATIENCE_MS);
  return namesIn(items);
}

function namesIn(items: readonly Members[]): readonly string[] {
  return items.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}

/** There is no tool of this name. */
function unknownTool(name: string, advice: string): FaultInit {
  return {
    kind: 'not_found',
    origin: 'caller',
    executed: 'no',
    subject: { type: 'tool', id: name },
    message: `Unknown tool: ${name}`,
    advice,
  };
}
