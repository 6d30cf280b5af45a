/** The page that somebody has to open first, where a backend's answer or an exception's members name it. */
import { FaultError, KINDS, makeFault } from '@mayday/core';
import { bodiesOf } from './bodies.ts';
import type { FromException } from './exception.ts';
import { isRecord, look } from './look.ts';
import { isPage } from './server-addresses.ts';

const DEEPEST = 3;
const MOST = 50;
const LONGEST = 100_000;

/** The same with the page told behind its words. Whoever is sent to one has to sign in there, or to pay; nobody else can. */
export function withPage(
  told: FromException,
  reason: unknown,
  safely: (text: string) => string,
): FromException {
  const page = pageOf(reason);
  const { fault } = told.thrown;
  if (page === undefined || fault.message.includes(page.address)) return told;
  const isServers = fault.kind === 'internal' || fault.kind === 'misconfigured';
  const kind = isServers ? 'unauthenticated' : fault.kind;
  const words = told.masked ? KINDS[kind].title : fault.message;
  const message = safely(`${words.replace(/[.:\s]{1,5}$/, '')}: ${page.name}: ${page.address}`);
  const base = isServers ? { kind, executed: fault.executed } : fault;
  const thrown = new FaultError(makeFault({ ...base, message }), { cause: reason });
  return { ...told, thrown, masked: false };
}

interface Page {
  readonly name: string;
  readonly address: string;
}

function pageOf(reason: unknown): Page | undefined {
  if (!isRecord(reason)) return undefined;
  const isError = reason instanceof Error || look(reason, 'response') !== undefined;
  const bodies = [...bodiesOf(reason).map(parsed), look(reason, 'error')];
  return pageIn(reason, isError ? 1 : DEEPEST) ?? bodies.map((body) => pageIn(body, DEEPEST)).find(Boolean);
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string' || body.length > LONGEST || !/^\s*\{/.test(body)) return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // cut off, or no JSON
  }
}

function pageIn(body: unknown, depth: number): Page | undefined {
  if (!isRecord(body) || depth === 0) return undefined;
  const members = Object.keys(body)
    .slice(0, MOST)
    .map((name) => [name, look(body, name)] as const);
  for (const [name, value] of members) {
    if (typeof value === 'string' && isPage(name, value)) return { name, address: value };
  }
  return members.map(([, value]) => pageIn(value, depth - 1)).find((page) => page !== undefined);
}
