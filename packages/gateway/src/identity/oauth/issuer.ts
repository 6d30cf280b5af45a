/** Checks the tokens of one issuer. */
import type { CryptoKey, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';
import type { IssuerSettings } from '../../settings/settings.ts';
import type { KnownCaller } from '../keys.ts';
import { Stranger } from '../stranger.ts';
import { audiencesIn, callerIn } from './claims.ts';
import { IssuerKeys, type IssuerNote, IssuerUnavailable } from './issuer-keys.ts';
import { whyNot } from './why-not.ts';

/** A token that an issuer has made, which is not over. */
export interface GoodToken {
  readonly caller: KnownCaller;
  /** Whom it is for, as it says. */
  readonly audiences: readonly string[];
  /** Unix time in milliseconds, with what a clock may be off. */
  readonly expiresAt: number;
}

/** Whoever makes tokens. */
export interface Issuer {
  readonly settings: IssuerSettings;
  readonly toleranceMs: number;
  /** Asks for its keys now, so that the operator hears of an issuer that is not there before callers do. */
  look(): void;
  /** Is it a good token of this issuer? Rejects with `IssuerUnavailable` where its keys are needed and cannot be had. */
  check(token: string): Promise<GoodToken | Stranger>;
}

/** What a token may call itself: other kinds (of a login, a logout, a proof) are signed with the same keys. */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);

/** Creates the check. Nobody is asked before a token comes, or somebody wants to know. */
export function createIssuer(settings: IssuerSettings, toleranceMs: number, note: IssuerNote): Issuer {
  const keys = new IssuerKeys(settings, note);
  const options: JWTVerifyOptions = {
    issuer: settings.issuer,
    algorithms: [...settings.algorithms],
    clockTolerance: toleranceMs / 1000,
    requiredClaims: ['exp'],
  };
  return {
    settings,
    toleranceMs,
    look: () => void keys.current().catch(() => undefined), // it is noted
    async check(token) {
      try {
        const { payload, protectedHeader } = await verified(token, keys, options);
        if (!TYPES.has(protectedHeader.typ?.toLowerCase())) return new Stranger('type');
        const caller = callerIn(payload, settings);
        if (caller instanceof Stranger) return caller;
        const expiresAt = (payload.exp ?? 0) * 1000 + toleranceMs;
        return { caller, audiences: audiencesIn(payload), expiresAt };
      } catch (error) {
        if (error instanceof IssuerUnavailable) throw error;
        return new Stranger(whyNot(error));
      }
    },
  };
}

interface Verified {
  readonly payload: JWTPayload;
  readonly protectedHeader: { readonly typ?: string | undefined };
}

/** What none of the known keys has signed may be signed with a new one: keys without names, or with the same, are exchanged too. */
const NO_KEY_FITS: ReadonlySet<unknown> = new Set([
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
]);

async function verified(token: string, keys: IssuerKeys, options: JWTVerifyOptions): Promise<Verified> {
  const known = await keys.current();
  try {
    return await verifiedWith(token, known, options);
  } catch (error) {
    if (!NO_KEY_FITS.has(codeOf(error))) throw error;
    const newer = await keys.newerThan(known);
    if (newer === undefined) throw error;
    return verifiedWith(token, newer, options);
  }
}

/** A token that does not say which key it was signed with is good if one of them fits. */
async function verifiedWith(
  token: string,
  keys: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<Verified> {
  const { jwtVerify } = await import('jose');
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (codeOf(error) !== 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') throw error;
    let last: unknown = error;
    for await (const key of error as AsyncIterable<CryptoKey>) {
      try {
        return await jwtVerify(token, key, options);
      } catch (wrong) {
        if (isSigned(wrong)) throw wrong;
        last = wrong;
      }
    }
    throw last;
  }
}

/** Was the signature good, and only what is signed was not? */
function isSigned(error: unknown): boolean {
  return String(codeOf(error)).startsWith('ERR_JWT_');
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}
