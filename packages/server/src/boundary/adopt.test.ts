import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../options.ts';
import type { Handle } from '../shapes.ts';
import { adopt, adoptInPlace } from './adopt.ts';
import type { HandlerKind } from './handlers.ts';

const boundary = { settings: settingsFrom(), stateOf: () => undefined, isGone: () => true } as never;
const says = (word: string) => () => ({ content: [word] });
/** A wrapped handler of a request that is gone runs nothing. */
const PLACEHOLDER = { content: [], isError: true };

/** A handle as the SDKs make it: an update sets the members itself. */
function handleOf(members: object = { handler: says('first') }): Handle & Record<string, unknown> {
  const handle = {
    ...members,
    update(this: Record<string, unknown>, updates: { callback?: unknown }) {
      handle['last'] = updates;
      if (updates.callback !== undefined) handle['handler'] = updates.callback;
    },
    last: undefined as unknown,
  } as unknown as Handle & Record<string, unknown>;
  return handle;
}

function adopted(kind: HandlerKind = 'tool', names?: Map<string, Handle>, name?: string) {
  return adopt(boundary, kind, handleOf(), names, name) as Handle & Record<string, unknown>;
}

function inPlace(handle: Handle): Handle {
  adoptInPlace(boundary, 'tool', handle);
  return handle;
}

const run = (given: unknown): unknown => (given as () => unknown)();

describe.each([
  ['that its author is given', (handle: Handle) => adopt(boundary, 'tool', handle)],
  ['that its author has already', inPlace],
])('the function of a handle %s', (_, adopting) => {
  const adopted = (handle = handleOf()) => adopting(handle) as ReturnType<typeof handleOf>;

  it('is the one that it had', () => {
    expect(run(adopted()['handler'])).toEqual({ content: ['first'] });
  });

  it.each(['handler', 'executor', 'callback', 'readCallback'])(
    '%s is wrapped when it is assigned',
    (member) => {
      const handle = adopted(handleOf({ [member]: says('first') }));
      handle[member] = says('second');
      expect(run(handle[member])).toEqual(PLACEHOLDER);
      expect(Object.keys(handle)).toContain(member);
    },
  );

  it('is wrapped once by an update, and again when it is assigned after one', () => {
    const handle = adopted();
    const callback = says('second');
    handle.update({ callback } as never);
    const wrapped = handle['handler'];
    expect([wrapped === callback, run(wrapped)]).toEqual([false, PLACEHOLDER]);
    expect((handle['last'] as { callback: unknown }).callback).toBe(wrapped);
    handle['handler'] = says('third');
    expect(run(handle['handler'])).toEqual(PLACEHOLDER);
  });

  it('is what the SDK makes of it, as long as an update lasts', () => {
    const sdks = handleOf();
    const made = says('made by the SDK');
    sdks.update = (() => {
      sdks['handler'] = made;
      throw new Error('refused');
    }) as never;
    const handle = adopted(sdks);
    expect(() => handle.update({} as never)).toThrow('refused');
    expect(handle['handler']).toBe(made);
    handle['handler'] = says('second');
    expect(run(handle['handler'])).toEqual(PLACEHOLDER);
  });

  it('can be anything that is no function, and then stays so', () => {
    const handle = adopted();
    handle['handler'] = 7;
    expect(handle['handler']).toBe(7);
    const updates = { title: 'T' };
    handle.update(updates as never);
    expect(handle['last']).toBe(updates);
  });
});

describe('the name of a handle', () => {
  it('is known, follows a new one, and ends', () => {
    const names = new Map<string, Handle>();
    const handle = adopted('tool', names, 'a');
    expect([...names]).toEqual([['a', handle]]);
    handle.update({ name: 'b' } as never);
    expect([...names.keys()]).toEqual(['b']);
    handle.update({ name: 'b' } as never);
    handle.update({ title: 'T' } as never);
    expect([...names.keys()]).toEqual(['b']);
    handle.update({ name: null } as never);
    expect([...names.keys()]).toEqual([]);
    handle.update({ name: 'c' } as never);
    expect([...names.keys()]).toEqual([]);
  });

  it('is nobody’s where none is kept', () => {
    const names = new Map<string, Handle>();
    adopted('tool', names);
    adopted('tool', undefined, 'a').update({ name: 'b' } as never);
    expect([...names]).toEqual([]);
  });
});
