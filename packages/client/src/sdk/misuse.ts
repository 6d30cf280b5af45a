/** Mistakes of whoever uses this package: nothing was sent, and no agent can mend them. */

/** Is it what we throw about options and arguments? */
export function isMisuse(thrown: unknown): boolean {
  return (
    thrown instanceof TypeError && /^(?:Expected|Unknown option|Unknown parameter) /.test(thrown.message)
  );
}
