import { expect } from 'vitest';
import { foreignMembers } from '../../acceptance/hostile.ts';
import type { Message } from '../../acceptance/wire.ts';
import { SECTIONS } from './document.ts';

const MESSAGES = new Map<number, string>(SECTIONS.map(([, code, message]) => [code, message]));

/** An error that stands in the document: a code of its own with its message, no data of another dialect. */
export function expectDocumented(message: Message | undefined, codes: readonly number[]): void {
  expect(message?.jsonrpc).toBe('2.0');
  expect(message).toHaveProperty('id');
  expect(codes).toContain(message?.error?.code);
  expect(message?.error?.message).toBe(MESSAGES.get(message?.error?.code));
  expect(foreignMembers(message)).toEqual([]);
}
