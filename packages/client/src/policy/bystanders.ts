/** What happened to the other targets of an upstream lately: it tells one dead tool from a dead server. */

/** The last outcomes of an upstream, by target. */
export interface Bystanders {
  record(target: string | undefined, failed: boolean): void;
  /** Do others than this one fail as well? */
  failToo(target: string | undefined): boolean;
}

const REMEMBERED = 40;
const ASKED = 10;
const TROUBLED = 0.3;

/** Creates an empty record. */
export function createBystanders(): Bystanders {
  const last: { target: string | undefined; failed: boolean }[] = [];
  return {
    record(target, failed) {
      last.push({ target, failed });
      if (last.length > REMEMBERED) last.shift();
    },
    failToo(target) {
      const others = last.filter((outcome) => outcome.target !== target).slice(-ASKED);
      return others.length > 0 && others.filter(({ failed }) => failed).length / others.length >= TROUBLED;
    },
  };
}
