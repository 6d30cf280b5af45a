import { expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { readUnread } from './unread.ts';

it('loads no HTTP client for a failure that has no response', async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'Response') as PropertyDescriptor;
  let asked = 0;
  const get = (): unknown => {
    asked += 1;
    return own.value ?? own.get?.();
  };
  Object.defineProperty(globalThis, 'Response', { configurable: true, get });
  try {
    expect(readUnread(new Error('Order 7 not found'), systemClock)).toBeUndefined();
    expect(asked).toBe(0);
    expect(readUnread({ response: {} }, systemClock)).toBeUndefined();
    expect(asked).toBe(1);
  } finally {
    Object.defineProperty(globalThis, 'Response', own);
  }
});
