import { once } from 'node:events';
import { either } from '@mayday/policy';
import { expect, test, vi } from 'vitest';
import { Ender } from './ender.ts';

test('ends once, with its reason, and tells whoever listens', () => {
  const ender = new Ender();
  const first = vi.fn();
  const second = vi.fn();
  ender.signal.addEventListener('abort', first);
  ender.signal.addEventListener('abort', first);
  ender.signal.addEventListener('abort', second);
  expect(ender.signal.aborted).toBe(false);
  const reason = new Error('enough');
  ender.abort(reason);
  ender.abort(new Error('again'));
  expect(ender.signal.aborted).toBe(true);
  expect(ender.signal.reason).toBe(reason);
  expect(first).toHaveBeenCalledTimes(1);
  expect(second).toHaveBeenCalledTimes(1);
  expect(() => ender.signal.throwIfAborted()).toThrow(reason);
});

test('has a reason where none is given, as an AbortController has', () => {
  const ender = new Ender();
  ender.abort();
  const node = new AbortController();
  node.abort();
  expect(ender.signal.reason).toBeInstanceOf(DOMException);
  expect((ender.signal.reason as Error).name).toBe((node.signal.reason as Error).name);
});

test('tells nobody who has left, whoever of several that is', () => {
  for (const leaving of [0, 1, 2]) {
    const ender = new Ender();
    const listeners = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()];
    for (const listener of listeners) ender.signal.addEventListener('abort', listener);
    ender.signal.removeEventListener('abort', listeners[leaving] as () => void);
    ender.signal.removeEventListener('abort', vi.fn<() => void>());
    ender.abort();
    const told = listeners.map((listener) => listener.mock.calls.length);
    expect(told).toEqual([0, 1, 2].map((place) => (place === leaving ? 0 : 1)));
  }
});

test('tells nobody who leaves while others are told', () => {
  const ender = new Ender();
  const late = vi.fn();
  ender.signal.addEventListener('abort', () => ender.signal.removeEventListener('abort', late), {
    once: true,
  });
  ender.signal.addEventListener('abort', late);
  ender.abort();
  expect(late).not.toHaveBeenCalled();
});

test('one that throws keeps nobody else from hearing of it, and is not passed over', async () => {
  const ender = new Ender();
  const told = vi.fn();
  const mistake = new Error('a mistake');
  const before = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const thrown = once(process, 'uncaughtException');
  ender.signal.addEventListener('abort', () => {
    throw mistake;
  });
  ender.signal.addEventListener('abort', { handleEvent: told });
  ender.abort();
  expect(told).toHaveBeenCalledTimes(1);
  expect((await thrown)[0]).toBe(mistake);
  for (const listener of before) process.on('uncaughtException', listener);
});

test('ends together with a signal of Node, whichever ends first', () => {
  const own = new Ender();
  const node = new AbortController();
  const signal = either(own.signal, node.signal);
  own.abort(new Error('ours'));
  expect(signal.aborted).toBe(true);
  expect((signal.reason as Error).message).toBe('ours');
  const another = either(new Ender().signal, node.signal);
  node.abort(new Error('theirs'));
  expect((another.reason as Error).message).toBe('theirs');
});
