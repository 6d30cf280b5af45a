/** Defects that were here once, each put back by exchanging a part. The world has to find every one of them. */
import { fault, makeFault, toDocument } from '@mayday/core';
import type { IdempotencyStore } from '@mayday/policy';
import type { WirePolicy } from '@mayday/relay';
import { timeLimit } from '../packages/gateway/src/call/time-limit.ts';
import type { Message } from './message.ts';
import type { Parts } from './parts.ts';
import type { Make, PipeFate, Setting, Story } from './story.ts';

/** A defect, where to look for it, and the law that it breaks. */
export interface Defect {
  readonly name: string;
  readonly make: Make;
  /** Where it can show. */
  readonly where?: Partial<Setting> | undefined;
  readonly needs?: ((story: Story) => boolean) | undefined;
  /** Calls in a story at most, where it shows sooner among few. */
  readonly calls?: number | undefined;
  /** New for each story: some parts remember. */
  readonly parts: () => Parts;
  readonly breaks: RegExp;
}

const TWICE = /was executed \d times/;

type Result = { readonly isError?: boolean; readonly content?: readonly { readonly text?: string }[] };

/** What a tool says is taken for proof. */
function believesWords(message: Message): Message {
  const result = message.result as Result | undefined;
  const text = result?.content?.[0]?.text ?? '';
  if (result?.isError !== true || !/fetch failed|503|429|ECONNREFUSED|down/.test(text)) return message;
  const document = toDocument(makeFault({ kind: 'unavailable', message: text, executed: 'no' }));
  return { ...message, result: { ...result, _meta: { 'dev.mayday/fault': document } } };
}

interface Listed {
  readonly tools?: readonly { readonly annotations: object }[];
}

function forgetsDestructive(message: Message): Message {
  const { tools } = (message.result ?? {}) as Listed;
  if (tools === undefined) return message;
  const annotated = tools.map((tool) => ({
    ...tool,
    annotations: { ...tool.annotations, destructiveHint: undefined },
  }));
  return { ...message, result: { tools: annotated } };
}

function withoutMeta(message: Message, key: string): Message {
  const meta = message.params?.['_meta'] as { readonly [key: string]: unknown } | undefined;
  if (meta === undefined) return message;
  return { ...message, params: { ...message.params, _meta: { ...meta, [key]: undefined } } };
}

/** Stands in front of all others. */
const first = (policy: WirePolicy) => (path: readonly WirePolicy[]) => [policy, ...path];

/** Where the gateway's path has the policy of this name, see `call/path.ts`. */
function placeOf(policy: 'limitingTime' | 'retrying', path: readonly WirePolicy[]): number {
  const place = path.findIndex(({ name }) => name === policy);
  if (place < 0) throw new Error(`No policy in the gateway's path is called ${policy}`);
  return place;
}

/** Whoever lists tools does not hear that they destroy. */
const forgetsInLists: WirePolicy = (next) => async (call) => {
  const outcome = await next(call);
  if (call.method !== 'tools/list' || !outcome.ok || outcome.value.type !== 'answer') return outcome;
  const body = Buffer.from(
    outcome.value.body.toString('utf8').replaceAll('"destructiveHint":true', '"x":true'),
  );
  return { ...outcome, value: { ...outcome.value, body } };
};

/** The time limit stands inside of the retries, and is armed for the first attempt alone. */
function armedOnce(path: readonly WirePolicy[]): readonly WirePolicy[] {
  const limit: WirePolicy = (next) => (call) =>
    call.attempt === 1 ? timeLimit({ timeoutMs: 2000, maxTimeMs: 3_600_000 })(next)(call) : next(call);
  const unlimited = path.toSpliced(placeOf('limitingTime', path), 1);
  return unlimited.toSpliced(placeOf('retrying', unlimited) + 1, 0, limit);
}

/** Claims of a gateway that died are forgotten, though the store lives. */
function forgetsTheUnfinished(): (store: IdempotencyStore) => IdempotencyStore {
  const unfinished = new Set<string>();
  return (store) => {
    for (const key of unfinished) void store.free(key);
    unfinished.clear();
    return {
      claim(claim) {
        unfinished.add(claim.key);
        return store.claim(claim);
      },
      finish(done) {
        unfinished.delete(done.key);
        return store.finish(done);
      },
      free: (key) => store.free(key),
    };
  };
}

/** Other arguments make another key. */
function keysWithArguments(): (store: IdempotencyStore) => IdempotencyStore {
  const claimed = new Map<string, string>();
  const known = (key: string): string => claimed.get(key) ?? key;
  return (store) => ({
    claim(claim) {
      const key = `${claim.key} ${claim.fingerprint}`;
      claimed.set(claim.key, key);
      return store.claim({ ...claim, key });
    },
    finish: (done) => store.finish({ ...done, key: known(done.key) }),
    free: (key) => store.free(known(key)),
  });
}

/** Whatever failed may be done again. */
const forgetsFailures = (store: IdempotencyStore): IdempotencyStore => ({
  claim: (claim) => store.claim(claim),
  free: (key) => store.free(key),
  finish: (done) => (done.answer.startsWith('{"ok":false') ? store.free(done.key) : store.finish(done)),
});

/** Answers go to whoever asked before. */
function oneBehind(): (message: Message) => Message {
  let before: unknown;
  return (message) => {
    if (message.result === undefined || 'tools' in (message.result as object)) return message;
    const result = before ?? message.result;
    before = message.result;
    return { ...message, result };
  };
}

const viaGateway: Partial<Setting> = { way: 'gateway' };
/** The gateway alone repeats calls, and believes what servers declare. */
const byGateway: Partial<Setting> = { client: 'official', way: 'gateway', trusted: true };
/** Is a write refused at first that is done all the same? */
const isRefusedFirst =
  (fate: PipeFate) =>
  ({ calls }: Story): boolean =>
    calls.some(({ key, tool, pipe }) => key === undefined && tool === 'pay' && pipe[0] === fate);
const hasKeys = ({ calls }: Story): boolean =>
  calls.some(({ key, tool }) => key !== undefined && tool === 'pay');
const hasOtherArguments = ({ calls }: Story): boolean => {
  const pays = calls.filter(({ key, tool }) => key !== undefined && tool === 'pay');
  return pays.some(({ key, amount }) => pays.some((other) => other.key === key && other.amount !== amount));
};

export const DEFECTS: readonly Defect[] = [
  {
    name: 'the gateway takes what a tool says for proof',
    make: 'policies',
    where: viaGateway,
    parts: () => ({
      hear: (hear) => ({
        ...hear,
        understand(call, said) {
          const heard = hear.understand(call, said);
          return heard.fault.retryable ? { ...heard, fault: { ...heard.fault, executed: 'no' } } : heard;
        },
      }),
    }),
    breaks: TWICE,
  },
  {
    name: 'the client takes what a tool says for proof',
    make: 'whole',
    where: { way: 'direct', trusted: true },
    parts: () => ({ toClient: believesWords }),
    breaks: TWICE,
  },
  {
    name: 'the guard counts what a handler throws as not executed',
    make: 'whole',
    where: { guarded: true, trusted: true },
    parts: () => ({
      guard: { mapError: () => fault.unavailable('The bank is down', { executed: 'no' }) },
    }),
    breaks: /was executed \d times|was told that it was not executed/,
  },
  {
    name: 'the gateway ignores destructiveHint',
    make: 'whole',
    where: { client: 'official', way: 'gateway' },
    parts: () => ({
      inner: (path) => [...path, forgetsInLists],
    }),
    breaks: /^erase .* was executed/,
  },
  {
    name: 'the client ignores destructiveHint',
    make: 'whole',
    where: { way: 'direct' },
    needs: ({ setting }) => setting.client !== 'official',
    parts: () => ({ toClient: forgetsDestructive }),
    breaks: /^erase .* was executed/,
  },
  {
    name: 'a retried timeout never ends',
    make: 'whole',
    where: { client: 'official', way: 'gateway', gatewayTimeoutMs: 2000 },
    parts: () => ({ inner: armedOnce }),
    breaks: /The gateway kept a caller waiting/,
  },
  {
    name: 'the guard ignores the deadline',
    make: 'whole',
    where: { guarded: true },
    parts: () => ({ toServer: (message) => withoutMeta(message, 'dev.mayday/deadline') }),
    breaks: /after its deadline/,
  },
  {
    name: 'the gateway ignores the deadline',
    make: 'whole',
    where: { client: 'official', way: 'gateway' },
    parts: () => ({ inner: first((next) => (call) => next({ ...call, above: undefined })) }),
    breaks: /The gateway kept a caller waiting/,
  },
  {
    name: 'the client ignores the deadline',
    make: 'whole',
    where: { way: 'direct' },
    parts: () => ({ client: { deadlineMs: 10_000_000 } }),
    breaks: /ms too late|got 0 answers/,
  },
  {
    name: 'client and gateway both retry',
    make: 'policies',
    where: viaGateway,
    parts: () => ({ inner: first((next) => (call) => next({ ...call, above: undefined })) }),
    breaks: /The gateway sent .* times and was asked/,
  },
  {
    name: 'keys of unfinished calls are forgotten in a crash',
    make: 'policies',
    where: viaGateway,
    needs: (story) =>
      hasKeys(story) &&
      story.mishaps.some(({ what, keepsAnswers }) => what === 'gateway dies' && keepsAnswers),
    parts: () => ({ answers: forgetsTheUnfinished() }),
    breaks: /^Under key pay/,
  },
  {
    name: 'a key with other arguments is another key',
    make: 'policies',
    where: { way: 'gateway', guarded: false },
    needs: hasOtherArguments,
    parts: () => ({ answers: keysWithArguments() }),
    breaks: /^Under key pay/,
  },
  {
    name: 'a key whose call failed is free again',
    make: 'policies',
    where: { way: 'gateway', guarded: false },
    needs: hasKeys,
    parts: () => ({ answers: forgetsFailures }),
    breaks: /^Under key pay/,
  },
  {
    name: 'a key is free again as soon as its call has ended',
    make: 'whole',
    where: { way: 'direct', guarded: true },
    needs: hasKeys,
    parts: () => ({ guard: { idempotency: { ttlMs: 1 } } }),
    breaks: /^Under key pay/,
  },
  {
    name: 'answers get mixed up',
    make: 'policies',
    where: viaGateway,
    parts: () => ({ toClient: oneBehind() }),
    breaks: /got the answer to/,
  },
  {
    name: 'what a process tells behind its refusal is not heard',
    make: 'whole',
    where: byGateway,
    needs: isRefusedFirst('refused, then told'),
    parts: () => ({
      fromServer: (line) => (line.includes('resources/updated') ? undefined : line),
    }),
    breaks: TWICE,
  },
  {
    name: 'a process that ends behind its refusal is taken at its word',
    make: 'whole',
    where: byGateway,
    needs: isRefusedFirst('refused, then dies'),
    parts: () => ({ endsLateMs: 5000 }),
    breaks: TWICE,
  },
];
