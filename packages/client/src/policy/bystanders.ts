/** What happened to the other targets of an upstream lately: it tells one dead tool from a dead server. */
import type { Kind } from '@mayday/core';

/** The last outcomes of an upstream, by target. */
export interface Bystanders {
  /** `failure` is the kind of it; `undefined` for a sign of life. */
  record(target: string | undefined, failure: Kind | undefined): void;
  /** Do others than this one fail as well, and in the same way? */
  failToo(target: string | undefined, failure: Kind): boolean;
}

const REMEMBERED = 40;
const ASKED = 10;
const TROUBLED = 0.3;

/** Creates an empty record. */
export function createBystanders(): Bystanders {
  const last: { target: string | undefined; failure: Kind | undefined }[] = [];
  return {
    record(target, failure) {
      last.push({ target, failure });
      if (last.length > REMEMBERED) last.shift();
    },
    failToo(target, failure) {
      const others = last.filter((outcome) => outcome.target !== target).slice(-ASKED);
      const alike = others.filter((outcome) => outcome.failure === failure);
      return others.length > 0 && alike.length / others.length >= TROUBLED;
    },
  };
}
