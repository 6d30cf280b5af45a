/** A gateway for callers with access tokens, and what its tests say to it. */
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach } from 'vitest';
import type { SettingsFile } from '../src/index.ts';
import { RESOURCE, startIssuer, type TestIssuer } from './issuer.ts';
import { callTool, cleanUp, STDIO_SERVER, until } from './tools.ts';

/** Of the test that runs now. */
export let issuer: TestIssuer;

/** Every test of a file has an issuer of its own; what it has opened is closed behind it. */
export function withIssuer(): void {
  beforeEach(async () => {
    issuer = await startIssuer();
  });
  afterEach(cleanUp);
}

/** A call that anybody may make who comes in. */
export const ECHO = callTool('echo', { say: 'x' });
/** What becomes of every call that reaches the server: it fails, in words of its own. */
export const REACHED = 'unknown';

/** The issuer of this test, as settings believe it. */
export function oauthOf(more: object = {}, ofIssuer: object = {}): SettingsFile['oauth'] {
  return { resource: RESOURCE, issuers: [{ name: 'login', issuer: issuer.url, ...ofIssuer }], ...more };
}

/** A gateway that lets callers with its tokens in. */
export function house(more: Partial<SettingsFile> = {}): SettingsFile {
  return { oauth: oauthOf(), upstreams: { a: STDIO_SERVER, b: STDIO_SERVER }, ...more };
}

/** A part of a token. */
export const b64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** The claims that a good token of now has. */
export function goodClaims(): object {
  const now = Math.floor(Date.now() / 1000);
  return { iss: issuer.url, sub: 'ann', aud: RESOURCE, iat: now, exp: now + 600 };
}

/** Signed with a key that everybody knows, as if it were a secret. */
export function hmacToken(key: string): string {
  const body = `${b64({ alg: 'HS256', kid: 'k1', typ: 'at+jwt' })}.${b64(goodClaims())}`;
  return `${body}.${createHmac('sha256', key).update(body).digest('base64url')}`;
}

/** Of somebody who says to be the issuer, with another key under the same id. */
export function forged(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = `${b64({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' })}.${b64(goodClaims())}`;
  const signature = createSign('sha256').update(body).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${body}.${signature.toString('base64url')}`;
}

/** Now, as tokens have it. */
export const seconds = (): number => Math.floor(Date.now() / 1000);

/** The last line of the log about somebody who was not let in. */
export async function refusal(logs: readonly string[]): Promise<string> {
  await until(() => logs.some((line) => line.includes('refused status=')));
  return logs.filter((line) => line.includes('refused status=')).at(-1) ?? '';
}
